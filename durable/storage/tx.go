package storage

// Tx is an explicit transaction: a savepoint among the uncommitted writes of
// its store. Everything written to the store while it is open belongs to it.
// Committing it hands its writes to the transaction around it, or, for the
// outermost, to the writes that wait for [Store.Commit]; by itself it makes
// nothing durable.
type Tx struct {
	s     *Store
	depth int  // position in s.txs
	done  bool // committed or rolled back
	mark  int  // engine's note: length of the undo log
	saved bool // engine's note: the savepoint exists in SQLite
}

// Begin opens a transaction inside those that are open already. A transaction
// in which nothing is written creates no file.
func (s *Store) Begin() (*Tx, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.beginLocked()
}

func (s *Store) beginLocked() (*Tx, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	s.version++
	tx := &Tx{s: s, depth: len(s.txs)}
	if err := s.kv.begin(tx); err != nil {
		return nil, err
	}
	s.txs = append(s.txs, tx)
	return tx, nil
}

// Commit ends the transaction and keeps its writes. It fails with [ErrTxOrder],
// and leaves the transaction open, while one begun later is open.
func (tx *Tx) Commit() error {
	tx.s.mu.Lock()
	defer tx.s.mu.Unlock()
	return tx.commitLocked()
}

func (tx *Tx) commitLocked() error {
	s := tx.s
	if tx.done {
		return ErrTxDone
	}
	if err := s.usable(); err != nil {
		return err
	}
	if tx.depth != len(s.txs)-1 {
		return ErrTxOrder
	}
	if err := s.kv.release(tx); err != nil {
		return err
	}
	s.endTxs(tx.depth)
	return nil
}

// Rollback ends the transaction, and those begun inside it, and takes back all
// writes made since it was begun.
func (tx *Tx) Rollback() error {
	tx.s.mu.Lock()
	defer tx.s.mu.Unlock()
	return tx.rollbackLocked()
}

func (tx *Tx) rollbackLocked() error {
	s := tx.s
	if tx.done {
		return ErrTxDone
	}
	if err := s.usable(); err != nil {
		return err
	}
	s.version++
	if err := s.kv.rollbackTo(tx); err != nil {
		return err
	}
	s.endTxs(tx.depth)
	return nil
}

// endTxs marks the transactions from depth on as ended.
func (s *Store) endTxs(depth int) {
	for _, tx := range s.txs[depth:] {
		tx.done = true
	}
	clear(s.txs[depth:])
	s.txs = s.txs[:depth]
}
