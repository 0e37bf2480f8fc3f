package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
)

// transaction is the state of a transaction(). On SQLite it is a savepoint, and
// everything that is written while it is open belongs to it; in memory it keeps
// what is written through txn apart (measured on workerd).
type transaction struct {
	i       *instance
	tx      *storage.Tx      // on SQLite
	overlay *storage.Overlay // in memory
	state   txnState
}

type txnState uint8

const (
	txnOpen txnState = iota
	txnCommitted
	txnRolledBack
)

// check throws when the transaction has ended.
func (t *transaction) check(method string) {
	message := ""
	switch t.state {
	case txnCommitted:
		message = "Cannot call " + method + "() on transaction that has already committed: did you move `txn` outside of the closure?"
	case txnRolledBack:
		message = "Cannot " + method + "() on rolled back transaction"
	default:
		return
	}
	t.i.class.iso.throw(&durable.Error{Name: "Error", Message: message})
}

func (t *transaction) space(s *storage.Store, method string) keyspace {
	t.check(method)
	if t.overlay != nil {
		return t.overlay
	}
	return s
}

// begin starts a transaction, within the critical section.
func (i *instance) begin() *transaction {
	t := &transaction{i: i}
	if i.act.Mode() == durable.StorageMemory {
		t.overlay = storage.NewOverlay(i.store())
		return t
	}
	tx, err := i.act.Begin()
	i.check(err)
	t.tx = tx
	i.txns = append(i.txns, t)
	return t
}

// end commits the transaction or rolls it back; nothing happens when it has
// ended before.
func (t *transaction) end(keep bool) {
	if t.state != txnOpen {
		return
	}
	t.state = txnRolledBack
	if keep {
		t.state = txnCommitted
	}
	if t.overlay != nil {
		if keep {
			t.i.check(t.overlay.Apply())
			t.i.act.Wrote(false)
		}
		return
	}
	t.i.txns = t.i.txns[:len(t.i.txns)-1]
	t.i.check(t.i.act.End(t.tx, keep))
}

func (t *transaction) rollback() {
	if t.state == txnRolledBack {
		return
	}
	t.check("rollback")
	if n := len(t.i.txns); t.overlay == nil && t.i.txns[n-1] != t {
		t.i.class.iso.throw(&durable.Error{Name: "Error", Message: "Cannot roll back an outer transaction while a nested transaction is still running."})
	}
	t.end(false)
}

func (o *operations) transaction(c goja.FunctionCall) goja.Value {
	i, iso := o.i, o.i.class.iso
	fn, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		o.badArgument("transaction", 1, "function")
	}
	o.options(c, "transaction", 2, "TransactionOptions")
	i.store()
	var t *transaction
	return i.critical(func() goja.Value {
		t = i.begin()
		v, ex := iso.call(fn, iso.rt.GlobalObject(), iso.newTransaction(t))
		if ex != nil {
			panic(ex)
		}
		return v
	}, func(v goja.Value, failed bool) (func() goja.Value, bool) {
		if i.ctx.dead != nil || t == nil {
			return nil, false
		}
		t.end(!failed)
		return func() goja.Value {
			if failed {
				panic(v)
			}
			return v
		}, true
	})
}

// newTransaction makes the DurableObjectTransaction that a closure receives.
func (iso *Isolate) newTransaction(t *transaction) *goja.Object {
	proto := iso.prototype("DurableObjectTransaction", nil, func(p *goja.Object) {
		s := storageMethods{iso, p, true}
		s.define()
		s.sync("rollback", func(o *operations, _ goja.FunctionCall) goja.Value {
			o.i.store()
			o.txn.rollback()
			return goja.Undefined()
		})
		for _, name := range []string{"getAlarm", "setAlarm", "deleteAlarm"} {
			s.async(name, func(o *operations, _ goja.FunctionCall) goja.Value {
				o.txn.check(name)
				iso.throw(errNotImplemented("DurableObjectTransaction." + name + "()"))
				return nil
			})
		}
	})
	return iso.object(proto, &operations{i: t.i, txn: t})
}

// transactionSync runs a closure whose writes, in SQL too, are taken back
// together when it throws.
func (o *operations) transactionSync(c goja.FunctionCall) goja.Value {
	i, iso := o.i, o.i.class.iso
	fn, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		o.badArgument("transactionSync", 1, "function")
	}
	s := i.store()
	if i.act.Mode() == durable.StorageMemory {
		iso.throw(&durable.Error{Name: "Error", Message: "Durable Object is not backed by SQL."})
	}
	tx, err := s.Begin()
	i.check(err)
	done := false
	defer func() {
		// The closure was ended by force: nothing of it may stay open. When the
		// object was reset, the store has been rolled back already.
		if !done && i.ctx.dead == nil {
			_ = tx.Rollback()
		}
	}()
	v, ex := iso.call(fn, iso.rt.GlobalObject())
	done = true
	if i.ctx.dead != nil {
		return goja.Undefined() // reset by the closure; the interrupt is on its way
	}
	if ex != nil {
		i.check(tx.Rollback())
		panic(ex)
	}
	i.check(tx.Commit())
	return v
}
