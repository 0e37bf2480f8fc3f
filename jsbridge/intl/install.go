package intl

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
)

//go:embed js/*.js
var sources embed.FS

var program = sync.OnceValues(func() (*goja.Program, error) {
	names, err := fs.Glob(sources, "js/*.js")
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("(function (host) { \"use strict\";\n")
	for _, name := range names {
		src, err := sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		b.Write(src)
	}
	b.WriteString("})")
	return goja.Compile("durashim:intl", b.String(), true)
})

// Intl is the internationalization of one runtime. Its methods may be called
// only from the goroutine that runs the runtime.
type Intl struct {
	rt  *goja.Runtime
	now func() time.Time
	api *goja.Object // what the program returned
}

// methods are the functions of the language that need a locale, with their
// lengths.
var methods = []struct {
	class, name string
	length      int
}{
	{"Number", "toLocaleString", 0}, {"BigInt", "toLocaleString", 0},
	{"Date", "toLocaleString", 0}, {"Date", "toLocaleDateString", 0}, {"Date", "toLocaleTimeString", 0},
	{"String", "localeCompare", 1}, {"String", "toLocaleUpperCase", 0}, {"String", "toLocaleLowerCase", 0},
	{"Array", "toLocaleString", 0},
}

// Install defines the global Intl and the methods of numbers, dates, strings and
// arrays on rt. now is the time as scripts see it. It must be called before any
// script runs.
func Install(rt *goja.Runtime, now func() time.Time) error {
	in := &Intl{rt: rt, now: now}
	g := rt.GlobalObject()
	settle := func(v goja.Value) {
		_ = g.DefineDataProperty("Intl", v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	get := rt.ToValue(func(goja.FunctionCall) goja.Value {
		v := in.load().Get("Intl")
		settle(v)
		return v
	})
	set := rt.ToValue(func(c goja.FunctionCall) goja.Value {
		settle(c.Argument(0))
		return goja.Undefined()
	})
	if err := g.DefineAccessorProperty("Intl", get, set, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		return err
	}
	for _, m := range methods {
		proto := g.Get(m.class).ToObject(rt).Get("prototype").ToObject(rt)
		var impl goja.Callable
		f := rt.ToValue(func(c goja.FunctionCall) goja.Value {
			if impl == nil {
				impl, _ = goja.AssertFunction(in.load().Get(m.class + "." + m.name))
			}
			v, err := impl(goja.Undefined(), append([]goja.Value{c.This}, c.Arguments...)...)
			if err != nil {
				panic(err)
			}
			return v
		}).(*goja.Object)
		if err := f.DefineDataProperty("name", rt.ToValue(m.name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
		if m.length != 0 { // the engine's own value
			if err := f.DefineDataProperty("length", rt.ToValue(m.length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
				return err
			}
		}
		if err := proto.DefineDataProperty(m.name, f, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			return err
		}
	}
	return nil
}

// load runs the JavaScript part at its first use.
func (in *Intl) load() *goja.Object {
	if in.api != nil {
		return in.api
	}
	prg, err := program()
	if err != nil {
		panic(in.rt.NewGoError(fmt.Errorf("intl: %w", err)))
	}
	v, err := in.rt.RunProgram(prg)
	if err != nil {
		panic(err)
	}
	fn, _ := goja.AssertFunction(v)
	if v, err = fn(goja.Undefined(), in.host()); err != nil {
		panic(err)
	}
	in.api = v.ToObject(in.rt)
	return in.api
}

// localZone is the name of the zone that Date works in.
func localZone() string {
	name := time.Local.String()
	if name == "Local" {
		name = os.Getenv("TZ")
		if name == "" {
			if link, err := os.Readlink("/etc/localtime"); err == nil {
				_, name, _ = strings.Cut(link, "zoneinfo/")
			}
		}
	}
	if canonical, _, ok := zoneOf(name); ok {
		return canonical
	}
	return "UTC"
}
