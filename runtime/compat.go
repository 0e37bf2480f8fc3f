package runtime

import (
	"errors"
	"fmt"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/compat"
	"github.com/durashim/durashim/internal/config"
)

// setCompat finds out which compatibility flags are on; an unknown one is an
// error that names its place.
func (w *worker) setCompat() (err error) {
	list := make([]string, len(w.cfg.CompatibilityFlags))
	for i, f := range w.cfg.CompatibilityFlags {
		list[i] = f.Value
	}
	w.compat, err = compat.New(w.cfg.CompatibilityDate.Value, list)
	var unknown *compat.UnknownFlagError
	var conflict *compat.ConflictError
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: %w", w.cfg.CompatibilityFlags[unknown.Index].Pos, err)
	case errors.As(err, &conflict):
		return fmt.Errorf("%s: %w", w.cfg.CompatibilityFlags[conflict.Index].Pos, err)
	}
	return err
}

// missingClass decides what becomes of a class that the configuration names and
// the script does not export. In a wrangler project it is an error; a workerd
// configuration starts, and the calls fail, as on workerd.
func (w *worker) missingClass(class string, err error) error {
	pos := w.cfg.Namespace(class).Pos
	if w.rt.cfg.Format == config.FormatWrangler {
		return fmt.Errorf("%s: %w", pos, err)
	}
	w.rt.log.Warn("calls of this class will fail: the worker does not export it", "worker", w.name, "class", class, "place", pos.String())
	return nil
}

// internalError is what a call gets when the cause is not the caller's business.
// Its text is workerd's.
func (w *worker) internalError() *durable.Error {
	return &durable.Error{Name: "Error", Message: "internal error; reference = " + durable.Reference(w.rt.random), Reset: true}
}

// ownNamespaces are the classes of the worker for its ctx.exports.
func (w *worker) ownNamespaces() map[string]*durable.Namespace {
	own := make(map[string]*durable.Namespace, len(w.namespaces))
	for class, ns := range w.namespaces {
		own[class] = ns.binding(class)
	}
	return own
}
