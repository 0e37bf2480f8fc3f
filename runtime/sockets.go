package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"

	"github.com/durashim/durashim/internal/config"
)

// Socket is an address on which the configuration asks to listen.
type Socket struct {
	// Name is the socket's name in the configuration; "http" for a wrangler
	// project.
	Name string
	// Address is host:port, a host alone, "*:port" for all addresses, or
	// unix:PATH. Port 0 takes a free one.
	Address string
	// Handler sends what arrives to the socket's service and entrypoint; see
	// [Runtime.Handler].
	Handler http.Handler
}

// Listen opens the socket's address. The error names the socket, the address and
// the reason.
func (s *Socket) Listen(ctx context.Context) (net.Listener, error) {
	proto, addr := splitAddress(s.Address, "80")
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, proto, addr)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, fmt.Errorf("socket %q: cannot listen on %s: %w", s.Name, s.Address, err)
	}
	return l, nil
}

// Sockets lists the sockets of the configuration in its order. addrs, which may
// be nil, gives some of them other addresses, by name.
func (rt *Runtime) Sockets(addrs map[string]string) ([]*Socket, error) {
	var out []*Socket
	for _, s := range rt.cfg.Sockets {
		if s.Protocol != "http" {
			return nil, fmt.Errorf("%s: socket %q: durashim does not implement sockets of protocol %s, only http", s.Pos, s.Name.Value, s.Protocol)
		}
		for _, u := range s.Unsupported {
			return nil, fmt.Errorf("%s: socket %q: durashim does not implement %s", u.Pos, s.Name.Value, u.Name)
		}
		if h := s.HTTP; h != nil && h.CapnpConnectHost.IsSet() {
			return nil, fmt.Errorf("%s: socket %q: durashim does not implement capnpConnectHost", h.CapnpConnectHost.Pos, s.Name.Value)
		}
		addr, ok := addrs[s.Name.Value]
		if !ok {
			addr = s.Address.Value
		}
		if addr == "" {
			return nil, fmt.Errorf("%s: socket %q has no address in the configuration; give it one with --socket-addr %s=<addr>", s.Pos, s.Name.Value, s.Name.Value)
		}
		target, err := rt.socketTarget(s)
		if err != nil {
			return nil, err
		}
		out = append(out, &Socket{Name: s.Name.Value, Address: addr, Handler: &door{rt: rt, target: target, http: s.HTTP}})
	}
	for _, name := range slices.Sorted(maps.Keys(addrs)) {
		if !slices.ContainsFunc(out, func(s *Socket) bool { return s.Name == name }) {
			return nil, fmt.Errorf("--socket-addr: the configuration has no socket %q", name)
		}
	}
	return out, nil
}

// socketTarget finds the service of a socket.
func (rt *Runtime) socketTarget(s *config.Socket) (canceler, error) {
	name := s.Service.Name.Value
	if w := rt.worker(name); w != nil {
		export := "default"
		if s.Service.Entrypoint.IsSet() {
			export = s.Service.Entrypoint.Value
			if !slices.Contains(w.main().Exports(), export) {
				return nil, fmt.Errorf("%s: socket %q refers to service %q with a named entrypoint %q, but %q has no such named entrypoint", s.Service.Pos, s.Name.Value, name, export, name)
			}
		}
		return service{w, export}, nil
	}
	o, err := rt.outboundService(name)
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("%s: socket %q: durashim does not implement services of the kind of %q", s.Service.Pos, s.Name.Value, name)
	}
	return o, nil
}
