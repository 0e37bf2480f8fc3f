package wrangler

import (
	"sort"
	"strconv"

	"github.com/durashim/durashim/internal/config/source"
)

// Class is a Durable Object class as the migrations leave it.
type Class struct {
	Name string
	// Key is the part of the unique key that belongs to the class: the name it
	// was first created under, which a rename keeps, so that the objects keep
	// their storage. When that key was taken before (the class was deleted and
	// made again), ~1, ~2, ... follows.
	Key string
	// SQL says that the class was made with new_sqlite_classes.
	SQL bool
	// Pos is where the class was created, or bound if no migration has it.
	Pos source.Pos
}

// Classes returns the classes of the worker itself, sorted by name: those that
// `migrations` or `exports` declare, and those that a binding names although
// nothing declares them (without SQL, as workerd has it). Errors are
// *source.Error values and follow workerd's rules: a class that is made twice, a
// rename or deletion of one that does not exist.
func (r *Resolved) Classes() ([]Class, error) {
	c := &classes{byName: map[string]*Class{}, taken: map[string]bool{}}
	exports, migrations := r.Get("exports"), r.Get("migrations")
	if exports != nil && migrations != nil && !empty(exports) && !empty(migrations) {
		return nil, source.Errorf(exports.Pos, "exports and migrations cannot both declare Durable Objects")
	}
	if migrations != nil {
		for _, m := range migrations.Items {
			if err := c.migrate(m); err != nil {
				return nil, err
			}
		}
	}
	if exports != nil {
		if err := c.export(exports); err != nil {
			return nil, err
		}
	}
	if bindings := r.Get("durable_objects").Get("bindings"); bindings != nil {
		for _, b := range bindings.Items {
			class := b.Get("class_name")
			if script := b.Get("script_name"); script != nil && (r.Name == nil || script.Text != r.Name.Text) {
				continue // a class of another worker
			}
			if c.byName[class.Text] == nil {
				c.create(class, false)
			}
		}
	}
	var out []Class
	for _, class := range c.byName {
		out = append(out, *class)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

type classes struct {
	byName map[string]*Class
	taken  map[string]bool // keys ever used
}

// migrate applies one migration: deletions, then renames, then new classes, in
// the order workerd has been seen to apply them.
func (c *classes) migrate(m *Node) error {
	if t := m.Get("transferred_classes"); t != nil && len(t.Items) > 0 {
		return source.Errorf(t.Pos, "transferred_classes needs the objects of another worker, which a local runtime has not")
	}
	for _, n := range items(m.Get("deleted_classes")) {
		if c.byName[n.Text] == nil {
			return source.Errorf(n.Pos, "migrations: deleted class %s does not exist", n.Text)
		}
		delete(c.byName, n.Text)
	}
	for _, n := range items(m.Get("renamed_classes")) {
		from, to := n.Get("from"), n.Get("to")
		class := c.byName[from.Text]
		if class == nil {
			return source.Errorf(from.Pos, "migrations: renamed class %s does not exist", from.Text)
		}
		if c.byName[to.Text] != nil {
			return source.Errorf(to.Pos, "migrations: renamed-to class %s already exists", to.Text)
		}
		delete(c.byName, from.Text)
		class.Name, class.Pos = to.Text, to.Pos
		c.byName[to.Text] = class
	}
	for _, sql := range []bool{false, true} {
		field := map[bool]string{false: "new_classes", true: "new_sqlite_classes"}[sql]
		for _, n := range items(m.Get(field)) {
			if c.byName[n.Text] != nil {
				return source.Errorf(n.Pos, "migrations: new class %s already exists", n.Text)
			}
			c.create(n, sql)
		}
	}
	return nil
}

func (c *classes) create(name *Node, sql bool) *Class {
	key := name.Text
	for i := 1; c.taken[key]; i++ {
		key = name.Text + "~" + strconv.Itoa(i)
	}
	c.taken[key] = true
	class := &Class{Name: name.Text, Key: key, SQL: sql, Pos: name.Pos}
	c.byName[name.Text] = class
	return class
}

// export reads the declarative form: each class with its state.
func (c *classes) export(exports *Node) error {
	renamed := map[string]*Member{} // by the new name
	for _, m := range exports.Members {
		state, storage, to := "created", m.Value.Get("storage"), m.Value.Get("renamed_to")
		if s := m.Value.Get("state"); s != nil {
			state = s.Text
		}
		if (storage != nil) != (state == "created") || (to != nil) != (state == "renamed") {
			return source.Errorf(m.Value.Pos, "exports: %s has the wrong fields for its state: %q needs %s",
				m.Name, state, map[string]string{"created": "storage alone", "renamed": "renamed_to alone", "deleted": "neither storage nor renamed_to"}[state])
		}
		switch state {
		case "created":
			c.byName[m.Name] = &Class{Name: m.Name, Key: m.Name, SQL: storage.Text == "sqlite", Pos: m.Pos}
		case "renamed":
			if first := renamed[to.Text]; first != nil {
				return source.Errorf(to.Pos, "exports: %s and %s are both renamed to %s", first.Name, m.Name, to.Text)
			}
			renamed[to.Text] = m
		}
	}
	for _, class := range c.byName {
		// The oldest name has the storage. A chain is no longer than the list of
		// renames, so a cycle ends too.
		for range renamed {
			if m := renamed[class.Key]; m != nil {
				class.Key = m.Name
			}
		}
		c.taken[class.Key] = true
	}
	for _, m := range exports.Members {
		if to := m.Value.Get("renamed_to"); to != nil && exports.Get(to.Text) == nil {
			return source.Errorf(to.Pos, "exports: renamed-to class %s is not declared", to.Text)
		}
	}
	return nil
}

func items(n *Node) []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}
