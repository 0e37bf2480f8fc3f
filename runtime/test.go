package runtime

import "context"

// Test is an export with a test method.
type Test struct {
	Worker string
	Export string // "default" or the name of the export
	w      *worker
}

// Name returns the test's name as workerd prints it: service, or
// service:export.
func (t Test) Name() string {
	if t.Export == "default" {
		return t.Worker
	}
	return t.Worker + ":" + t.Export
}

// Tests lists the tests of all workers: worker by worker in the order of the
// configuration, the default export first, then the others by name, as workerd
// does.
func (rt *Runtime) Tests() (tests []Test) {
	for _, w := range rt.workers {
		iso := w.main()
		exports := iso.Exports()
		for i, e := range exports {
			if e == "default" {
				copy(exports[1:i+1], exports[:i])
				exports[0] = e
			}
		}
		for _, e := range exports {
			if iso.HasTest(e) {
				tests = append(tests, Test{Worker: w.name, Export: e, w: w})
			}
		}
	}
	return tests
}

// RunTest runs a test of this runtime. The error is what the test threw, with
// its JavaScript stack.
func (rt *Runtime) RunTest(ctx context.Context, t Test) error {
	var failed error
	done := make(chan struct{})
	t.w.main().RunTest(t.Export, func(err error) {
		failed = err
		close(done)
	})
	if err := rt.wait(ctx, done); err != nil {
		return err
	}
	return failed
}
