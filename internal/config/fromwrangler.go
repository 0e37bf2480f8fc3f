package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config/dotenv"
	"github.com/durashim/durashim/internal/config/source"
	"github.com/durashim/durashim/internal/config/wrangler"
)

// defaultName is the name of a worker whose file states none, as in workerd.
const defaultName = "main"

// wranglerMapper makes the services that a wrangler file stands for, the same
// as workerd makes of it: the worker, a disk service for its objects if it has
// any, and one socket.
type wranglerMapper struct {
	l   *loader
	r   *wrangler.Resolved
	dir string
}

func (m *wranglerMapper) config(root *wrangler.Node) (*Config, error) {
	c := &Config{Format: FormatWrangler, Environment: m.l.env, Pos: root.Pos}
	w, err := m.worker()
	if err != nil {
		return nil, err
	}
	c.Services = []*Service{{Name: w.Name, Pos: w.Pos, Worker: w}}
	if len(w.Namespaces) > 0 {
		disk := &Service{
			Name: Text{Value: w.Name.Value + "-do-storage"},
			Disk: &DiskDirectory{
				Path:     Text{Value: filepath.Join(m.dir, ".wrangler", "state", "workerd")},
				Writable: true,
				Implied:  true,
			},
		}
		w.Storage = Storage{Kind: StorageLocalDisk, Disk: disk.Name}
		c.Services = append(c.Services, disk)
	}
	socket, err := m.socket(w)
	if err != nil {
		return nil, err
	}
	c.Sockets = []*Socket{socket}
	return c, nil
}

// socket is where `serve` listens: workerd's address for wrangler files, unless
// dev.ip and dev.port say otherwise.
func (m *wranglerMapper) socket(w *Worker) (*Socket, error) {
	s := &Socket{
		Name:     Text{Value: "http"},
		Protocol: "http",
		HTTP:     &HTTPOptions{},
		Service:  &ServiceRef{Name: w.Name},
	}
	host, port := "localhost", "8787"
	dev := m.r.Get("dev")
	if ip := dev.Get("ip"); ip != nil {
		host, s.Address.Pos = ip.Text, ip.Pos
	}
	if p := dev.Get("port"); p != nil {
		n, err := strconv.ParseUint(p.Text, 10, 16)
		if err != nil {
			return nil, source.Errorf(p.Pos, "\"dev.port\" must be a whole number from 0 to 65535, not %s", p.Text)
		}
		port, s.Address.Pos = strconv.FormatUint(n, 10), p.Pos
	}
	s.Address.Value = joinHostPort(host, port)
	return s, nil
}

func (m *wranglerMapper) worker() (*Worker, error) {
	main := m.r.Get("main")
	if main == nil {
		return nil, source.Errorf(m.r.Root.Pos, "missing field \"main\": the path of the worker's entry file")
	}
	w := &Worker{
		Name:               Text{Value: defaultName},
		Pos:                m.r.Root.Pos,
		Main:               m.path(main),
		CompatibilityDate:  text(m.r.Get("compatibility_date")),
		CompatibilityFlags: texts(m.r.Get("compatibility_flags")),
		Bundle:             m.bundle(),
		Crons:              texts(m.r.Get("triggers").Get("crons")),
	}
	if m.r.Name != nil {
		w.Name = text(m.r.Name)
	}
	// Read for the sake of a clear error, and to be among Config.Files; what is
	// in it is the bundler's business.
	if _, err := m.l.readFile(w.Main.Value); err != nil {
		return nil, source.Errorf(w.Main.Pos, "cannot read the entry file: %v", err)
	}
	if err := checkDate(w.CompatibilityDate); err != nil {
		return nil, err
	}
	w.Tails = consumers(m.r.Get("tail_consumers"))
	w.StreamingTails = consumers(m.r.Get("streaming_tail_consumers"))
	for _, f := range m.r.Unsupported() {
		w.Unsupported = append(w.Unsupported, Unsupported{Name: f.Name, Pos: f.Pos})
	}
	if err := m.namespaces(w); err != nil {
		return nil, err
	}
	return w, m.bindings(w)
}

func (m *wranglerMapper) namespaces(w *Worker) error {
	classes, err := m.r.Classes()
	if err != nil {
		return err
	}
	for _, class := range classes {
		w.Namespaces = append(w.Namespaces, &DurableObjectNamespace{
			ClassName: Text{class.Name, class.Pos},
			UniqueKey: Text{w.Name.Value + "-" + class.Key, class.Pos},
			EnableSQL: class.SQL,
			Pos:       class.Pos,
		})
	}
	return nil
}

func (m *wranglerMapper) bundle() *Bundle {
	b := &Bundle{
		NoBundle:              isTrue(m.r.Get("no_bundle")),
		FindAdditionalModules: isTrue(m.r.Get("find_additional_modules")),
		BaseDir:               m.path(m.r.Get("base_dir")),
		Define:                pairs(m.r.Get("define")),
		Alias:                 pairs(m.r.Get("alias")),
		TSConfig:              m.path(m.r.Get("tsconfig")),
		JSXFactory:            text(m.r.Get("jsx_factory")),
		JSXFragment:           text(m.r.Get("jsx_fragment")),
	}
	for _, n := range elements(m.r.Get("rules")) {
		b.Rules = append(b.Rules, Rule{
			Type:        text(n.Get("type")),
			Globs:       texts(n.Get("globs")),
			Fallthrough: isTrue(n.Get("fallthrough")),
			Pos:         n.Pos,
		})
	}
	return b
}

// bindings makes the properties of env: vars first, sorted by name as workerd
// sorts them, then the others in the order of the file. As in wrangler, a name
// that is bound twice is an error, except that vars give way.
func (m *wranglerMapper) bindings(w *Worker) error {
	vars, err := m.vars()
	if err != nil {
		return err
	}
	var rest []*Binding
	for _, n := range elements(m.r.Get("durable_objects").Get("bindings")) {
		rest = append(rest, &Binding{
			Name: text(n.Get("name")), Kind: BindingDONamespace, Pos: n.Pos,
			DurableObject: &DurableObjectRef{ClassName: text(n.Get("class_name")), ServiceName: text(n.Get("script_name")), Pos: n.Pos},
		})
	}
	for _, n := range elements(m.r.Get("services")) {
		ref := &ServiceRef{Name: text(n.Get("service")), Entrypoint: text(n.Get("entrypoint")), Pos: n.Pos}
		if props := n.Get("props"); props != nil {
			ref.Props = Text{props.JSON(), props.Pos}
		}
		rest = append(rest, &Binding{Name: text(n.Get("binding")), Kind: BindingService, Pos: n.Pos, Service: ref})
	}
	blobs, err := m.blobs()
	if err != nil {
		return err
	}
	rest = append(rest, blobs...)

	taken := map[string]*Binding{}
	for _, b := range rest {
		if first := taken[b.Name.Value]; first != nil {
			return source.Errorf(b.Name.Pos, "binding %q is already bound at line %d", b.Name.Value, first.Name.Pos.Line)
		}
		taken[b.Name.Value] = b
	}
	for _, b := range vars {
		if taken[b.Name.Value] == nil {
			w.Bindings = append(w.Bindings, b)
		}
	}
	w.Bindings = append(w.Bindings, rest...)
	return nil
}

// vars are the strings and JSON values of `vars`, sorted by name, with those of
// `.dev.vars` in their place.
func (m *wranglerMapper) vars() ([]*Binding, error) {
	byName := map[string]*Binding{}
	if n := m.r.Get("vars"); n != nil {
		for _, v := range n.Members {
			b := &Binding{Name: Text{v.Name, v.Pos}, Pos: v.Pos}
			if v.Value.Kind == wrangler.String {
				b.Kind, b.Text = BindingText, text(v.Value)
			} else {
				b.Kind, b.Text = BindingJSON, Text{v.Value.JSON(), v.Value.Pos}
			}
			byName[v.Name] = b
		}
	}
	secrets, err := m.devVars()
	if err != nil {
		return nil, err
	}
	for _, v := range secrets {
		byName[v.Name] = &Binding{Name: Text{v.Name, v.Pos}, Pos: v.Pos, Kind: BindingText, Text: Text{v.Value, v.Pos}}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b *Binding) int {
		return strings.Compare(a.Name.Value, b.Name.Value)
	}), nil
}

// devVars reads the secrets of local development beside the configuration:
// `.dev.vars.<environment>` if there is one, else `.dev.vars`
// (https://developers.cloudflare.com/workers/configuration/secrets/#local-development-with-secrets).
func (m *wranglerMapper) devVars() ([]dotenv.Var, error) {
	names := []string{".dev.vars"}
	if m.l.env != "" {
		names = []string{".dev.vars." + m.l.env, ".dev.vars"}
	}
	for _, name := range names {
		path := filepath.Join(m.dir, name)
		content, err := m.l.readFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the variables for development: %w", err)
		}
		return dotenv.Parse(path, content)
	}
	return nil, nil
}

// blobs reads the files that wasm_modules, text_blobs and data_blobs bind.
func (m *wranglerMapper) blobs() ([]*Binding, error) {
	var out []*Binding
	for _, f := range []struct {
		field string
		kind  BindingKind
	}{
		{"wasm_modules", BindingWasm}, {"text_blobs", BindingText}, {"data_blobs", BindingData},
	} {
		n := m.r.Get(f.field)
		if n == nil {
			continue
		}
		for _, file := range n.Members {
			path := m.path(file.Value)
			content, err := m.l.readFile(path.Value)
			if err != nil {
				return nil, source.Errorf(path.Pos, "cannot read the file of %s.%s: %v", f.field, file.Name, err)
			}
			b := &Binding{Name: Text{file.Name, file.Pos}, Kind: f.kind, Pos: file.Pos, File: path.Value}
			if f.kind == BindingText {
				b.Text = Text{string(content), path.Pos}
			} else {
				b.Data = content
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// path makes a path of the file absolute.
func (m *wranglerMapper) path(n *wrangler.Node) Text {
	t := text(n)
	if n != nil && !filepath.IsAbs(t.Value) {
		t.Value = filepath.Join(m.dir, filepath.FromSlash(t.Value))
	}
	return t
}

func text(n *wrangler.Node) Text {
	if n == nil || n.Kind != wrangler.String {
		return Text{}
	}
	return Text{n.Text, n.Pos}
}

func texts(n *wrangler.Node) []Text {
	var out []Text
	for _, item := range elements(n) {
		out = append(out, text(item))
	}
	return out
}

func elements(n *wrangler.Node) []*wrangler.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func pairs(n *wrangler.Node) []Pair {
	if n == nil {
		return nil
	}
	var out []Pair
	for _, m := range n.Members {
		out = append(out, Pair{m.Name, text(m.Value)})
	}
	return out
}

func consumers(n *wrangler.Node) []*ServiceRef {
	var out []*ServiceRef
	for _, item := range elements(n) {
		out = append(out, &ServiceRef{Name: text(item.Get("service")), Pos: item.Pos})
	}
	return out
}

func isTrue(n *wrangler.Node) bool { return n != nil && n.Bool }
