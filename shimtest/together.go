package shimtest

import "context"

// Together runs functions side by side and returns when all have returned: callers
// that meet in the same objects, in the same order every time
// ([runtime.VirtualClock.Together]). They must make their calls with the context
// that they are given.
func (w *World) Together(fs ...func(ctx context.Context)) {
	w.t.Helper()
	if w.Clock() == nil {
		w.t.Fatal("shimtest: Together needs the virtual clock")
	}
	w.Clock().Together(w.t.Context(), fs...)
}
