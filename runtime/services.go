package runtime

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge"
)

// idleConn is how long a connection to outside is kept for the next request.
const idleConn = 90 * time.Second

// FetchCancel implements [jsbridge.Canceler].
func (s service) FetchCancel(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) func() {
	return s.w.main().Fetch(s.export, req, done)
}

// outboundService returns the service of a network or an external server, nil if
// name is neither.
func (rt *Runtime) outboundService(name string) (*outbound, error) {
	rt.outboundMu.Lock()
	defer rt.outboundMu.Unlock()
	if o := rt.outbounds[name]; o != nil {
		return o, nil
	}
	var o *outbound
	s := rt.cfg.Service(name)
	switch {
	case s == nil && name == internetService:
		o = rt.newInternet()
	case s == nil:
		return nil, nil
	case s.Network != nil:
		n, err := newNetwork(s.Network)
		if err != nil {
			return nil, err
		}
		o = rt.newNetworkService(name, n)
	case s.External != nil:
		var err error
		if o, err = rt.newServer(name, s.External); err != nil {
			return nil, err
		}
	default:
		return nil, nil
	}
	if rt.outbounds == nil {
		rt.outbounds = map[string]*outbound{}
	}
	rt.outbounds[name] = o
	return o, nil
}

// globalOutbound returns what takes the worker's global fetch().
func (w *worker) globalOutbound() (jsbridge.Service, error) {
	name, export := internetService, "default"
	if ref := w.cfg.GlobalOutbound; ref != nil {
		name = ref.Name.Value
		if ref.Entrypoint.IsSet() {
			export = ref.Entrypoint.Value
		}
		if target := w.rt.worker(name); target != nil {
			return service{target, export}, nil
		}
	}
	o, err := w.rt.outboundService(name)
	switch {
	case err != nil:
		return nil, err
	case o == nil:
		return nil, fmt.Errorf("%s: globalOutbound: durashim does not implement services of the kind of %q", w.cfg.GlobalOutbound.Pos, name)
	}
	return o, nil
}

// override applies the dates, addresses and directories of the command line to a
// configuration, before anything else looks at it.
func override(cfg *config.Config, o Options) error {
	if o.CompatibilityDate != "" {
		if _, err := time.Parse(time.DateOnly, o.CompatibilityDate); err != nil {
			return fmt.Errorf("the compatibility date must be YYYY-MM-DD, not %q", o.CompatibilityDate)
		}
		for _, s := range cfg.Services {
			if s.Worker != nil && !s.Worker.CompatibilityDate.IsSet() {
				s.Worker.CompatibilityDate = config.Text{Value: o.CompatibilityDate, Pos: config.Pos{File: cfg.Path}}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.ExternalAddrs)) {
		s := cfg.Service(name)
		if s == nil || s.External == nil {
			return fmt.Errorf("--external-addr: the configuration has no external service %q", name)
		}
		s.External.Address.Value = o.ExternalAddrs[name]
	}
	for _, name := range slices.Sorted(maps.Keys(o.DirectoryPaths)) {
		s := cfg.Service(name)
		if s == nil || s.Disk == nil {
			return fmt.Errorf("--directory-path: the configuration has no disk service %q", name)
		}
		s.Disk.Path.Value = o.DirectoryPaths[name]
	}
	return nil
}
