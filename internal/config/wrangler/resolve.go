package wrangler

import (
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// Resolved is the configuration of one environment: the top level and the
// environment joined by the rules of inheritance.
type Resolved struct {
	// Root is the whole document.
	Root *Node
	// Env is the section of the environment; nil for the top level.
	Env *Node
	// Name is the name of the worker: in an environment that does not state
	// one, `<name>-<environment>`. Nil if the file has none.
	Name *Node

	values map[string]*Member
}

// Get returns the value of a field of the top level, or nil. The caller may rely
// on the type, which has been checked.
func (r *Resolved) Get(name string) *Node {
	if m := r.values[name]; m != nil {
		return m.Value
	}
	return nil
}

// Unsupported returns the fields that a runtime would have to honour but that
// are not read, in the order of the list of fields.
func (r *Resolved) Unsupported() []*Member {
	var out []*Member
	for _, f := range topFields {
		if m := r.values[f.name]; m != nil && f.use == unsupported && !empty(m.Value) {
			out = append(out, m)
		}
	}
	return out
}

func empty(n *Node) bool {
	return n.Kind == Null || (n.Kind == Array && len(n.Items) == 0) || (n.Kind == Object && len(n.Members) == 0)
}

// Resolve checks a document and selects an environment, "" for the top level.
// Errors are *source.Error values: a field that does not exist, a value of the
// wrong type, an environment that does not exist. Every section is checked, not
// only the one selected.
func Resolve(root *Node, env string) (*Resolved, error) {
	if root.Kind != Object {
		return nil, source.Errorf(root.Pos, "the file must hold an object, not %v", root.Kind)
	}
	if err := checkSection(root, ""); err != nil {
		return nil, err
	}
	r := &Resolved{Root: root, values: map[string]*Member{}, Name: root.Get("name")}
	for _, m := range root.Members {
		r.values[m.Name] = m
	}
	if env == "" {
		return r, nil
	}
	envs := root.Get("env")
	r.Env = envs.Get(env)
	if r.Env == nil {
		var names []string
		at := root.Pos
		if envs != nil {
			at = envs.Pos
			for _, m := range envs.Members {
				names = append(names, m.Name)
			}
		}
		return nil, source.Errorf(at, "no environment %q in \"env\"%s", env, source.DidYouMean(env, names))
	}
	r.selectEnv(env)
	return r, nil
}

func (r *Resolved) selectEnv(env string) {
	for _, f := range topFields {
		if f.scope == own {
			delete(r.values, f.name)
		}
	}
	for _, m := range r.Env.Members {
		r.values[m.Name] = m
	}
	if own := r.Env.Get("name"); own != nil {
		r.Name = own
	} else if r.Name != nil {
		named := *r.Name
		named.Text += "-" + env
		r.Name = &named
	}
}

// checkSection checks the document, or one of its environments if env is set.
func checkSection(n *Node, env string) error {
	for _, m := range n.Members {
		if m.Name == "env" && env == "" {
			if err := checkEnvs(m.Value); err != nil {
				return err
			}
			continue
		}
		path := m.Name
		if env != "" {
			path = "env." + env + "." + m.Name
		}
		f := topFieldNamed(m.Name)
		switch {
		case f == nil:
			return source.Errorf(m.Pos, "unknown field %q%s", path, source.DidYouMean(m.Name, topFieldNames(env != "")))
		case f.scope == topOnly && env != "":
			return source.Errorf(m.Pos, "%q may stand at the top level only, not in an environment", m.Name)
		}
		if err := check(m.Value, f.shape, path); err != nil {
			return err
		}
	}
	return nil
}

func checkEnvs(envs *Node) error {
	if envs.Kind != Object {
		return source.Errorf(envs.Pos, "\"env\" must be an object, not %v", envs.Kind)
	}
	for _, m := range envs.Members {
		if strings.TrimSpace(m.Name) == "" {
			return source.Errorf(m.Pos, "the name of an environment is empty")
		}
		if m.Value.Kind != Object {
			return source.Errorf(m.Value.Pos, "%q must be an object, not %v", "env."+m.Name, m.Value.Kind)
		}
		if err := checkSection(m.Value, m.Name); err != nil {
			return err
		}
	}
	return nil
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
