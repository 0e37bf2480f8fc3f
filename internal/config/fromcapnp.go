package config

import (
	"strings"

	"github.com/durashim/durashim/internal/config/capnptext"
	"github.com/durashim/durashim/internal/config/source"
)

// capnp reads a Cap'n Proto file and picks the constant that holds the Config,
// by workerd's rules.
func (l *loader) capnp(path string, text []byte) (*Config, error) {
	if l.env != "" {
		return nil, &source.Error{Pos: Pos{File: path}, Msg: "only wrangler files have environments, not Cap'n Proto files"}
	}
	consts, err := capnptext.Load(path, text, capnptext.Options{ReadFile: l.readFile, ImportPath: l.importPath})
	if err != nil {
		return nil, err
	}
	k, err := l.pick(path, consts)
	if err != nil {
		return nil, err
	}
	c, err := capnpConfig(k.Value)
	if err != nil {
		return nil, err
	}
	c.ConstName = k.Name
	return c, nil
}

func (l *loader) pick(path string, consts []*capnptext.Const) (*capnptext.Const, error) {
	var configs []*capnptext.Const
	var names []string
	for _, k := range consts {
		if k.Value.Type == "Config" {
			configs = append(configs, k)
			names = append(names, k.Name)
		}
		if k.Name == l.constName && k.Value.Type != "Config" {
			return nil, source.Errorf(k.Pos, "constant %q has type %s, not Config", k.Name, k.Value.Type)
		}
	}
	fail := func(msg string) error { return &source.Error{Pos: Pos{File: path}, Msg: msg} }
	switch {
	case len(configs) == 0:
		return nil, fail("the file defines no constant of type Config")
	case l.constName != "":
		for _, k := range configs {
			if k.Name == l.constName {
				return k, nil
			}
		}
		return nil, fail("no constant named " + l.constName + " (the constants of type Config are: " + strings.Join(names, ", ") + ")")
	case len(configs) > 1:
		return nil, fail("the file defines several constants of type Config, so name the one to use: " + strings.Join(names, ", "))
	}
	return configs[0], nil
}

func capnpConfig(v *capnptext.Value) (*Config, error) {
	c := &Config{
		Format:            FormatWorkerd,
		Pos:               v.Pos,
		V8Flags:           textList(v.Get("v8Flags")),
		Autogates:         textList(v.Get("autogates")),
		StructuredLogging: flag(v.Get("structuredLogging")) || flag(v.Get("logging").Get("structuredLogging")),
		Unsupported: append(leftover(v, "services", "sockets", "v8Flags", "extensions", "autogates", "structuredLogging", "logging"),
			leftover(v.Get("logging"), "structuredLogging")...),
	}
	for _, s := range list(v.Get("services")) {
		svc, err := capnpService(s)
		if err != nil {
			return nil, err
		}
		if first := c.Service(svc.Name.Value); first != nil {
			return nil, source.Errorf(svc.Pos, "service %q is already defined at %v", svc.Name.Value, first.Pos)
		}
		c.Services = append(c.Services, svc)
	}
	for _, s := range list(v.Get("sockets")) {
		c.Sockets = append(c.Sockets, capnpSocket(s))
	}
	for _, e := range list(v.Get("extensions")) {
		ext := &Extension{Pos: e.Pos}
		for _, m := range list(e.Get("modules")) {
			ext.Modules = append(ext.Modules, ExtensionModule{
				Name:     textOf(m.Get("name")),
				Internal: flag(m.Get("internal")),
				Source:   textOf(m.Get("esModule")),
				Pos:      m.Pos,
			})
		}
		c.Extensions = append(c.Extensions, ext)
	}
	return c, nil
}

func capnpService(v *capnptext.Value) (*Service, error) {
	s := &Service{Name: textOf(v.Get("name")), Pos: v.Pos}
	m := v.Member()
	if m == nil || m.Name == "unspecified" {
		return nil, source.Errorf(v.Pos, "service %q does not specify what to serve", s.Name.Value)
	}
	var err error
	switch m.Name {
	case "worker":
		s.Worker, err = capnpWorker(m.Value, s.Name)
	case "network":
		s.Network = capnpNetwork(m.Value)
	case "external":
		s.External = capnpExternal(m.Value)
	case "disk":
		s.Disk = &DiskDirectory{
			Path:          textOf(m.Value.Get("path")),
			Writable:      flag(m.Value.Get("writable")),
			AllowDotfiles: flag(m.Value.Get("allowDotfiles")),
			Pos:           m.Value.Pos,
		}
	default:
		s.Unsupported = []Unsupported{{"Service." + m.Name, m.Pos}}
	}
	return s, err
}

func capnpNetwork(v *capnptext.Value) *Network {
	n := &Network{
		Allow:       []Text{{Value: "public"}},
		Deny:        textList(v.Get("deny")),
		Pos:         v.Pos,
		Unsupported: leftover(v, "allow", "deny"),
	}
	if allow := v.Get("allow"); allow != nil {
		n.Allow = textList(allow)
	}
	return n
}

func capnpExternal(v *capnptext.Value) *ExternalServer {
	e := &ExternalServer{Address: textOf(v.Get("address")), Protocol: "http", HTTP: &HTTPOptions{}, Pos: v.Pos}
	m := v.Member()
	if m == nil {
		return e
	}
	e.Protocol = m.Name
	e.CertificateHost = textOf(m.Value.Get("certificateHost"))
	e.HTTP = protocolOptions(m)
	if m.Name != "http" {
		e.Unsupported = leftover(m.Value, "options", "certificateHost")
	}
	return e
}

func capnpSocket(v *capnptext.Value) *Socket {
	s := &Socket{
		Name:     textOf(v.Get("name")),
		Address:  textOf(v.Get("address")),
		Pos:      v.Pos,
		Protocol: "http",
		HTTP:     &HTTPOptions{},
		Service:  serviceRef(v.Get("service")),
	}
	m := v.Member()
	if m == nil {
		return s
	}
	s.Protocol = m.Name
	s.HTTP = protocolOptions(m)
	if m.Name != "http" {
		s.Unsupported = leftover(m.Value, "options")
	}
	if m.Name == "udp" {
		s.Unsupported = append(s.Unsupported, Unsupported{"Socket.udp", m.Pos})
	}
	return s
}

// protocolOptions returns the HTTP options of a union member http or https, and
// nil for other protocols.
func protocolOptions(m *capnptext.FieldValue) *HTTPOptions {
	switch m.Name {
	case "http":
		return httpOptions(m.Value)
	case "https":
		return httpOptions(m.Value.Get("options"))
	}
	return nil
}

func httpOptions(v *capnptext.Value) *HTTPOptions {
	if v == nil {
		return &HTTPOptions{}
	}
	headers := func(v *capnptext.Value) (out []Header) {
		for _, h := range list(v) {
			out = append(out, Header{textOf(h.Get("name")), textOf(h.Get("value"))})
		}
		return out
	}
	return &HTTPOptions{
		Style:                 textOf(v.Get("style")),
		ForwardedProtoHeader:  textOf(v.Get("forwardedProtoHeader")),
		CfBlobHeader:          textOf(v.Get("cfBlobHeader")),
		InjectRequestHeaders:  headers(v.Get("injectRequestHeaders")),
		InjectResponseHeaders: headers(v.Get("injectResponseHeaders")),
		CapnpConnectHost:      textOf(v.Get("capnpConnectHost")),
		Pos:                   v.Pos,
	}
}

func serviceRef(v *capnptext.Value) *ServiceRef {
	if v == nil {
		return nil
	}
	return &ServiceRef{
		Name:       textOf(v.Get("name")),
		Entrypoint: textOf(v.Get("entrypoint")),
		Props:      textOf(v.Get("props").Get("json")),
		Pos:        v.Pos,
	}
}

func serviceRefs(v *capnptext.Value) []*ServiceRef {
	var out []*ServiceRef
	for _, item := range list(v) {
		out = append(out, serviceRef(item))
	}
	return out
}

func textOf(v *capnptext.Value) Text {
	if v == nil {
		return Text{}
	}
	return Text{v.Text, v.Pos}
}

func textList(v *capnptext.Value) []Text {
	var out []Text
	for _, item := range list(v) {
		out = append(out, textOf(item))
	}
	return out
}

func list(v *capnptext.Value) []*capnptext.Value {
	if v == nil {
		return nil
	}
	return v.Items
}

func flag(v *capnptext.Value) bool { return v != nil && v.Bool }

// leftover marks the fields of a struct that are set but not among those that
// the model holds.
func leftover(v *capnptext.Value, held ...string) []Unsupported {
	if v == nil {
		return nil
	}
	var out []Unsupported
fields:
	for _, f := range v.Fields {
		for _, h := range held {
			if f.Name == h {
				continue fields
			}
		}
		out = append(out, Unsupported{v.Type + "." + f.Name, f.Pos})
	}
	return out
}
