package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// dump writes a Config as text: a line for each part, with the line and column
// of what may be reported.
func dump(c *Config) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	at := func(p Pos) string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }
	ref := func(r *ServiceRef) string {
		if r == nil {
			return "-"
		}
		return fmt.Sprintf("%s/%s/%s@%s", r.Name, r.Entrypoint, r.Props, at(r.Pos))
	}
	unsupported := func(list []Unsupported) {
		for _, u := range list {
			line("  unsupported %s %s", u.Name, at(u.Pos))
		}
	}
	line("%v const=%q env=%q v8=%v gates=%v logs=%v", c.Format, c.ConstName, c.Environment, c.V8Flags, c.Autogates, c.StructuredLogging)
	unsupported(c.Unsupported)
	for _, s := range c.Sockets {
		line("socket %s %s %s -> %s %v", s.Name, s.Address, s.Protocol, ref(s.Service), s.HTTP != nil)
		if s.HTTP != nil && s.HTTP.Style.IsSet() {
			line("  style %s inject %v", s.HTTP.Style, s.HTTP.InjectRequestHeaders)
		}
		unsupported(s.Unsupported)
	}
	for _, e := range c.Extensions {
		for _, m := range e.Modules {
			line("extension %s internal=%v %s %q", m.Name, m.Internal, at(m.Pos), m.Source)
		}
	}
	for _, s := range c.Services {
		line("service %s %s", s.Name, at(s.Pos))
		unsupported(s.Unsupported)
		switch {
		case s.Network != nil:
			line("  network %v %v", s.Network.Allow, s.Network.Deny)
			unsupported(s.Network.Unsupported)
		case s.External != nil:
			line("  external %s %s %s", s.External.Address, s.External.Protocol, s.External.CertificateHost)
			unsupported(s.External.Unsupported)
		case s.Disk != nil:
			line("  disk %s writable=%v dot=%v implied=%v", filepath.Base(s.Disk.Path.Value), s.Disk.Writable, s.Disk.AllowDotfiles, s.Disk.Implied)
		}
		w := s.Worker
		if w == nil {
			continue
		}
		line("  worker date=%s flags=%v storage=%v %s out=%s tails=%d,%d crons=%v", w.CompatibilityDate, w.CompatibilityFlags,
			w.Storage.Kind, w.Storage.Disk, ref(w.GlobalOutbound), len(w.Tails), len(w.StreamingTails), w.Crons)
		if w.Bundle != nil {
			line("  main %s %s rules=%v define=%v alias=%v", filepath.Base(w.Main.Value), at(w.Main.Pos), len(w.Bundle.Rules), w.Bundle.Define, w.Bundle.Alias)
			for _, r := range w.Bundle.Rules {
				line("    rule %s %v %v", r.Type, r.Globs, r.Fallthrough)
			}
		}
		for _, m := range w.Modules {
			line("  module %s %s %d bytes %s embedded=%q %v", m.Name, m.Kind, len(m.Content), at(m.ContentPos), filepath.Base(m.Embedded), m.NamedExports)
		}
		for _, x := range w.Bindings {
			line("  binding %s %s %s %s", x.Name, x.Kind, at(x.Name.Pos), bindingValue(x, ref))
			unsupported(x.Unsupported)
		}
		for _, n := range w.Namespaces {
			line("  namespace %s key=%s sql=%v ephemeral=%v pinned=%v %s", n.ClassName, n.UniqueKey, n.EnableSQL, n.Ephemeral, n.PreventEviction, at(n.Pos))
			unsupported(n.Unsupported)
		}
		unsupported(w.Unsupported)
	}
	return b.String()
}

func bindingValue(b *Binding, ref func(*ServiceRef) string) string {
	switch {
	case b.Service != nil:
		return ref(b.Service)
	case b.DurableObject != nil:
		return fmt.Sprintf("%s in %q", b.DurableObject.ClassName, b.DurableObject.ServiceName)
	case b.Wrapped != nil:
		return fmt.Sprintf("%s.%s of %d", b.Wrapped.ModuleName, b.Wrapped.Entrypoint, len(b.Wrapped.Inner))
	case b.MemoryCache != nil:
		m := b.MemoryCache
		return fmt.Sprintf("%s %d %d %d", m.ID, m.MaxKeys, m.MaxValueSize, m.MaxTotalValueSize)
	case b.Data != nil:
		return fmt.Sprintf("%d bytes of %s", len(b.Data), filepath.Base(b.File))
	}
	return fmt.Sprintf("%q", b.Text.Value)
}

func TestLoad(t *testing.T) {
	for _, tc := range []struct {
		path string
		opts []Option
		want string
	}{
		{"testdata/wrangler", nil, `
wrangler const="" env="" v8=[] gates=[] logs=false
socket http 127.0.0.1:9000 http -> shop//@0:0 true
service shop 1:1
  worker date=2026-11-01 flags=[nodejs_compat rpc] storage=localDisk shop-do-storage out=- tails=1,0 crons=[0 * * * *]
  main index.js 5:11 rules=1 define=[{DEBUG false}] alias=[{lodash ./src/lodash.js}]
    rule Text [**/*.md **/*.html] true
  binding COUNT json 11:80 "3"
  binding LIMITS json 11:30 "{\"max\":2.50,\"tags\":[\"<a>\",null]}"
  binding TITLE text 11:13 "Shop"
  binding Counter durableObjectNamespace 16:17 Counter in ""
  binding OTHER durableObjectNamespace 17:17 Room in "chat"
  binding AUTH service 24:29 auth/Admin/{"level":3}@24:16
  binding WASM wasmModule 26:21 8 bytes of empty.wasm
  binding NOTE text 27:19 "some text\n"
  binding DATA data 28:19 2 bytes of data.bin
  namespace Cart key=shop-Cart sql=true ephemeral=false pinned=false 21:69
  namespace Counter key=shop-Tally sql=false ephemeral=false pinned=false 22:65
  unsupported kv_namespaces 31:3
service shop-do-storage 0:0
  disk workerd writable=true dot=false implied=true
`},
		{"testdata/wrangler/wrangler.jsonc", []Option{WithEnvironment("staging")}, `
wrangler const="" env="staging" v8=[] gates=[] logs=false
socket http 127.0.0.1:9000 http -> shop-staging//@0:0 true
service shop-staging 1:1
  worker date=2026-11-01 flags=[nodejs_compat rpc] storage=localDisk shop-staging-do-storage out=- tails=0,0 crons=[0 * * * *]
  main index.js 5:11 rules=1 define=[] alias=[{lodash ./src/lodash.js}]
    rule Text [**/*.md **/*.html] true
  binding TITLE text 35:17 "Staging"
  binding CART durableObjectNamespace 36:51 Cart in ""
  binding WASM wasmModule 26:21 8 bytes of empty.wasm
  binding NOTE text 27:19 "some text\n"
  binding DATA data 28:19 2 bytes of data.bin
  namespace Cart key=shop-staging-Cart sql=true ephemeral=false pinned=false 21:69
  namespace Counter key=shop-staging-Tally sql=false ephemeral=false pinned=false 22:65
service shop-staging-do-storage 0:0
  disk workerd writable=true dot=false implied=true
`},
		{"testdata/wrangler-toml", []Option{WithEnvironment("staging")}, `
wrangler const="" env="staging" v8=[] gates=[] logs=false
socket http localhost:8787 http -> shop-test//@0:0 true
service shop-test 1:1
  worker date=2026-11-01 flags=[] storage=localDisk shop-test-do-storage out=- tails=0,0 crons=[]
  main index.js 2:8 rules=1 define=[] alias=[]
    rule Text [**/*.md] false
  namespace Counter key=shop-test-Counter sql=true ephemeral=false pinned=false 15:23
service shop-test-do-storage 0:0
  disk workerd writable=true dot=false implied=true
`},
		{"testdata/workerd/config.capnp", []Option{WithConst("config")}, `
workerd const="config" env="" v8=[--expose-gc] gates=[gate] logs=true
  unsupported LoggingOptions.stdoutPrefix 21:40
socket http *:8080 http -> main//@15:141 true
  style proxy inject [{x y} {z }]
socket tcp *:8081 tcp -> lib/Other/@16:60 false
extension ext:a internal=true 18:29 "export default 1"
service main 7:5
  worker date=2026-11-01 flags=[nodejs_compat] storage=localDisk do-storage out=net//@52:20 tails=1,1 crons=[]
  module worker esModule 19 bytes 1:1 embedded="worker.js" []
  module c commonJsModule 18 bytes 27:35 embedded="." [a b]
  module d data 2 bytes 28:25 embedded="." []
  binding T text 33:13 "ab"
  binding J json 34:13 "{}"
  binding W wasmModule 35:13 19 bytes of worker.js
  binding E fromEnvironment 36:13 "HOME"
  binding S service 37:13 lib/Other/1@37:28
  binding N durableObjectNamespace 38:13 A in ""
  binding R durableObjectNamespace 39:13 B in "lib"
  binding X wrapped 40:13 ext:a.default of 1
  binding M memoryCache 41:13 id 1 2 3
  binding L workerLoader 42:13 "loader"
  binding Q queue 43:13 lib//@43:26
  binding U unsafeEval 44:13 ""
  binding K cryptoKey 45:13 ""
  unsupported Worker.Binding.cryptoKey 45:18
  namespace A key=key-a sql=true ephemeral=false pinned=true 48:5
  namespace E key= sql=false ephemeral=true pinned=false 49:5
  unsupported Worker.DurableObjectNamespace.container 49:46
  unsupported Worker.accessBlobHeader 56:3
  unsupported Worker.containerEngine 55:3
service lib 8:5
  worker date=2026-11-01 flags=[] storage=inMemory  out=- tails=0,0 crons=[]
  module lib esModule 19 bytes 1:1 embedded="worker.js" []
  namespace B key=key-b sql=false ephemeral=false pinned=false 6:30
service do-storage 9:5
  disk . writable=true dot=true implied=false
service net 10:5
  network [private] [local]
  unsupported Network.tlsOptions 10:70
service back 11:5
  external localhost:1 https h
  unsupported ExternalServer.https.tlsOptions 11:90
service cache 12:5
  unsupported Service.bucket 12:22
`},
	} {
		c, err := Load(tc.path, tc.opts...)
		if err != nil {
			t.Errorf("%s: %v", tc.path, err)
			continue
		}
		if got := dump(c); got != strings.TrimPrefix(tc.want, "\n") {
			t.Errorf("%s:\n%s", tc.path, diff(got, strings.TrimPrefix(tc.want, "\n")))
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", tc.path, err)
		}
		if !filepath.IsAbs(c.Path) || c.Dir != filepath.Dir(c.Path) {
			t.Errorf("%s: path %s, dir %s", tc.path, c.Path, c.Dir)
		}
	}
}

// diff shows the lines that differ.
func diff(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	var b strings.Builder
	for i := range max(len(g), len(w)) {
		var x, y string
		if i < len(g) {
			x = g[i]
		}
		if i < len(w) {
			y = w[i]
		}
		if x != y {
			fmt.Fprintf(&b, "line %d\n got  %s\n want %s\n", i+1, x, y)
		}
	}
	return b.String()
}

func TestFiles(t *testing.T) {
	c, err := Load("testdata/workerd/config.capnp")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range c.Files {
		got = append(got, filepath.ToSlash(f))
	}
	want := "testdata/workerd/config.capnp testdata/workerd/lib/worker.capnp testdata/workerd/worker.js"
	for _, f := range strings.Fields(want) {
		if !strings.Contains(strings.Join(got, " ")+" ", f+" ") {
			t.Errorf("%s is not among %v", f, got)
		}
	}
}

func TestNotFound(t *testing.T) {
	for _, tc := range []struct{ path, want string }{
		{"testdata/empty", "testdata/empty: no configuration found: the directory has none of wrangler.jsonc, wrangler.json, wrangler.toml"},
		{"testdata/none", "cannot read the configuration: open testdata/none"},
	} {
		_, err := Load(tc.path)
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want %s", tc.path, err, tc.want)
		}
	}
}
