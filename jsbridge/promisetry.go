package jsbridge

import (
	"fmt"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// promisesFit tries promises out, once per process and therefore briefly: a value,
// an error, a thenable. The tests try everything.
var promisesFit = sync.OnceValue(func() error { return comparePromises("plain", "thenable") })

// comparePromises checks that scripts see of promises, and when, what they see of
// goja's own. cases are names of the script; none stands for all.
func comparePromises(cases ...string) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = errEngine{fmt.Sprint(x)}
		}
	}()
	if _, err := findPromises(); err != nil {
		return err
	}
	want, err := tryPromises(false, cases)
	if err != nil {
		return err
	}
	got, err := tryPromises(true, cases)
	if err != nil {
		return err
	}
	if got != want || !strings.HasSuffix(got, "reported number") {
		return errEngine{"promises that are settled from outside behave differently: " + got + ", not " + want}
	}
	return nil
}

// tryPromises runs the script with promises of one or the other kind and gives
// what it notes.
func tryPromises(ours bool, cases []string) (string, error) {
	iso := &Isolate{rt: goja.New()}
	var err error
	if iso.state, err = newVMState(iso.rt); err != nil {
		return "", err
	}
	iso.js.promise = iso.rt.Get("Promise").(*goja.Object)
	iso.js.promiseResolve = iso.js.promise.Get("resolve").Export().(native)
	iso.js.promiseThen = iso.js.promise.Get("prototype").(*goja.Object).Get("then").Export().(native)
	iso.rt.SetPromiseRejectionTracker(iso.trackRejection)
	iso.rt.SetAsyncContextTracker(tracker{iso})
	if ours {
		iso.promises = makePromises(iso)
	}
	var log []string
	note := func(text string) { log = append(log, text) }
	_ = iso.rt.Set("log", note)
	_ = iso.rt.Set("make", func() *goja.Object {
		r, o := iso.newPromise(), iso.rt.NewObject()
		_ = o.Set("promise", r.value)
		_ = o.Set("resolve", func(v goja.Value) error { return r.resolve(v) })
		_ = o.Set("reject", func(v goja.Value) error { return r.reject(v) })
		return o
	})
	_ = iso.rt.Set("watch", func(v goja.Value, name string) {
		iso.then(v, func(v goja.Value) { note(name + " ok " + v.String()) }, func(v goja.Value) { note(name + " failed " + v.String()) })
	})
	if cases != nil {
		_ = iso.rt.Set("wanted", iso.rt.ToValue(cases))
	} else {
		_ = iso.rt.Set("wanted", goja.Undefined())
	}
	iso.state.enter()
	_, err = iso.rt.RunString(promiseTest)
	for job := iso.state.take(); job != nil; job = iso.state.take() {
		job()
	}
	iso.state.leave()
	for _, r := range iso.rejections {
		note("reported " + r.promise.Result().ExportType().String())
	}
	return strings.ReplaceAll(strings.Join(log, "\n"), "reported int64", "reported number"), err
}

const promiseTest = `
	const values = {
		plain: () => 1, object: () => ({toString() { return "an object" }}), own: (d) => d.promise,
		thenable: () => ({then(ok) { log("asked"); ok("then"); ok("again") }}),
		throws: () => ({get then() { throw "no then" }}), fails: () => ({then() { throw "then failed" }}),
		promise: () => Promise.resolve("inner"), rejected: () => Promise.reject("inner"),
		pending: () => { const p = make(); Promise.resolve().then(() => p.resolve("late")); return p.promise },
	};
	class Sub extends Promise {}
	const times = wanted ? ["before "] : ["before ", "at once ", "after "];
	for (const name of wanted ?? Object.keys(values)) for (const how of ["resolve", "reject"]) {
		const d = make(), id = name + " " + how + " ";
		log(id + (d.promise instanceof Promise) + Object.keys(d.promise) + Object.prototype.toString.call(d.promise));
		d.promise.own = 1;
		const use = (when) => {
			if (!times.includes(when)) return;
			d.promise.then((v) => log(id + when + "then " + v), (e) => log(id + when + "catch " + e));
			d.promise.then().then((v) => log(id + when + "passed " + v)).catch((e) => log(id + when + "passed on " + e));
			(async () => { try { log(id + when + "await " + await d.promise) } catch (e) { log(id + when + "threw " + e) } })();
			Sub.resolve(d.promise).then((v) => log(id + when + "sub " + v), () => {});
			Promise.race([d.promise]).finally(() => log(id + when + "finally")).catch(() => {});
			watch(d.promise, id + when);
		};
		use("before ");
		let v = values[name](d);
		if (v instanceof Promise) v.catch(() => {});
		d[how](v);
		d.resolve(2); d.reject(3);
		use("at once ");
		Promise.resolve().then(() => log(id + 1)).then(() => log(id + 2)).then(() => log(id + 3)).then(() => use("after "));
	}
	watch(7, "number"); watch({}, "object"); watch(values.thenable(), "thenable");
	watch(Sub.resolve(8), "subclass"); watch(Promise.reject(9), "rejected");
	make().reject(4);
`
