package wasm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Limits that V8 sets (https://webassembly.github.io/spec/js-api/#limits).
const (
	MaxTableSize   = 10_000_000 // elements
	MaxMemoryPages = 65536      // of 64 KiB
	PageSize       = 65536      // bytes
)

// features are those of WebAssembly 2.0 and what V8 has beyond them, as far as
// the engine has it too.
const features = api.CoreFeaturesV2 | experimental.CoreFeaturesThreads | experimental.CoreFeaturesTailCall |
	experimental.CoreFeaturesExtendedConst | experimental.CoreFeaturesExceptionHandling

// engine is the compiler and what it compiled. One serves the whole process, so
// that a module is compiled once however many isolates use it.
type engine struct {
	rt    wazero.Runtime
	names atomic.Uint64 // of host modules
	// layout tells whether references can be told apart by what they point to.
	layout func() bool

	mu      sync.Mutex
	modules map[[sha256.Size]byte]weak.Pointer[Module]
	helpers map[string]wazero.CompiledModule
	flights map[[sha256.Size]byte]*flight
}

var sharedEngine = sync.OnceValue(func() *engine {
	return newEngine(configure(wazero.NewRuntimeConfig()))
})

func newEngine(config wazero.RuntimeConfig) *engine {
	e := &engine{
		rt:      wazero.NewRuntimeWithConfig(context.Background(), config),
		modules: make(map[[sha256.Size]byte]weak.Pointer[Module]),
		helpers: make(map[string]wazero.CompiledModule),
		flights: make(map[[sha256.Size]byte]*flight),
	}
	e.layout = sync.OnceValue(e.tryLayout)
	return e
}

func configure(c wazero.RuntimeConfig) wazero.RuntimeConfig {
	return c.WithCoreFeatures(features).WithDebugInfoEnabled(false)
}

// Module is a compiled module. It never changes and may be used from any
// goroutine and in any number of stores.
type Module struct {
	// Imports and Exports are in the module's order.
	Imports []ImportType
	Exports []ExportType
	// Custom are the custom sections, in order.
	Custom []CustomSection

	bin  *binary
	code wazero.CompiledModule
	e    *engine
}

// Compile validates and compiles a module. The same bytes give the same Module
// as long as that is in use. The bytes must not be changed afterwards.
//
// The error is a [*CompileError].
func Compile(data []byte) (*Module, error) { return sharedEngine().compile(data) }

func (e *engine) compile(data []byte) (*Module, error) {
	key := sha256.Sum256(data)
	e.mu.Lock()
	if m := e.modules[key].Value(); m != nil {
		e.mu.Unlock()
		return m, nil
	}
	if f := e.flights[key]; f != nil {
		e.mu.Unlock()
		<-f.done
		return f.m, f.err
	}
	f := &flight{done: make(chan struct{})}
	e.flights[key] = f
	e.mu.Unlock()

	f.m, f.err = e.build(data)

	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.flights, key)
	close(f.done)
	if f.err != nil {
		return nil, f.err
	}
	e.modules[key] = weak.Make(f.m)
	runtime.AddCleanup(f.m, func(code wazero.CompiledModule) {
		_ = code.Close(context.Background())
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.modules[key].Value() == nil {
			delete(e.modules, key)
		}
	}, f.m.code)
	return f.m, nil
}

// flight is a compilation that is going on; others wait for it.
type flight struct {
	done chan struct{}
	m    *Module
	err  error
}

func (e *engine) build(data []byte) (m *Module, err error) {
	defer func() {
		if x := recover(); x != nil {
			m, err = nil, &CompileError{Offset: -1, Text: fmt.Sprint("the compiler failed: ", x)}
		}
	}()
	b, err := parse(data)
	if err != nil {
		return nil, err
	}
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	code, err := e.rt.CompileModule(ctx, b.rewrite())
	if err != nil {
		return nil, &CompileError{Offset: -1, Text: err.Error()}
	}
	b.release()
	return &Module{Imports: b.imports, Exports: b.exports, Custom: b.custom, bin: b, code: code, e: e}, nil
}

// release drops what only the rewriting needed.
func (b *binary) release() {
	b.bodies = nil
	b.raw = [len(b.raw)][]byte{}
}

// maxHelpers bounds the helper modules that are kept compiled.
const maxHelpers = 256

// compileHelper compiles a binary that this package made.
func (e *engine) compileHelper(w *writer) wazero.CompiledModule {
	e.mu.Lock()
	defer e.mu.Unlock()
	if code := e.helpers[string(w.b)]; code != nil {
		return code
	}
	code, err := e.rt.CompileModule(context.Background(), w.b)
	if err != nil {
		panic("wasm: a helper module does not compile: " + err.Error())
	}
	if len(e.helpers) >= maxHelpers {
		// Instances do not need the compiled module any more.
		for key, old := range e.helpers {
			_ = old.Close(context.Background())
			delete(e.helpers, key)
		}
	}
	e.helpers[string(w.b)] = code
	return code
}

// instantiate makes an instance and takes it off the engine's list of
// instances at once, so that it lives exactly as long as something refers to
// it. A closed instance works like any other; only each call of it reports
// sys.ExitError with code 0, which [Func.Call] takes for success.
func (e *engine) instantiate(code wazero.CompiledModule, name string, resolve experimental.ImportResolver) (api.Module, error) {
	ctx := context.Background()
	if resolve != nil {
		ctx = experimental.WithImportResolver(ctx, resolve)
	}
	mod, err := e.rt.InstantiateModule(ctx, code, wazero.NewModuleConfig().WithName(name).WithStartFunctions())
	if err != nil {
		return nil, err
	}
	_ = mod.Close(ctx)
	return mod, nil
}

// hostModule makes an instance that exports Go functions under the numbers
// given.
func (e *engine) hostModule(funcs map[int]*Func) (api.Module, error) {
	name := "host" + strconv.FormatUint(e.names.Add(1), 10)
	b := e.rt.NewHostModuleBuilder(name)
	for i, f := range funcs {
		b.NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(f.host), typeBytes(f.typ.Params), typeBytes(f.typ.Results)).
			Export(strconv.Itoa(i))
	}
	code, err := b.Compile(context.Background())
	if err != nil {
		return nil, err
	}
	defer code.Close(context.Background())
	return e.instantiate(code, name, nil)
}

var errOtherStore = errors.New("wasm: an object of another store")
