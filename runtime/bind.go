package runtime

import (
	"fmt"
	"os"

	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/jsbridge"
)

// bind makes the properties of env.
func (w *worker) bind() error {
	for _, b := range w.cfg.Bindings {
		out := jsbridge.Binding{Name: b.Name.Value}
		switch b.Kind {
		case config.BindingText:
			out.Text = &b.Text.Value
		case config.BindingJSON:
			out.JSON = []byte(b.Text.Value)
		case config.BindingData:
			out.Data = b.Data
		case config.BindingFromEnvironment:
			v, ok := os.LookupEnv(b.Text.Value)
			if !ok {
				out.JSON = []byte("null")
			} else {
				out.Text = &v
			}
		case config.BindingDONamespace:
			ns, err := w.findNamespace(b.DurableObject)
			if err != nil {
				return fmt.Errorf("%s: binding %s: %w", b.Pos, b.Name, err)
			}
			out.Namespace = ns.binding(b.Name.Value)
		case config.BindingService:
			target := w.rt.worker(b.Service.Name.Value)
			if target == nil {
				o, err := w.rt.outboundService(b.Service.Name.Value)
				switch {
				case err != nil:
					return err
				case o == nil:
					return fmt.Errorf("%s: binding %s: durashim runs no service %q; only workers, networks and external servers of this configuration can be bound", b.Pos, b.Name, b.Service.Name)
				}
				out.Service = o
				break
			}
			export := "default"
			if b.Service.Entrypoint.IsSet() {
				export = b.Service.Entrypoint.Value
			}
			out.Service = service{target, export}
			if b.Service.Props.IsSet() {
				out.Service = entryService{service{target, export}, jsbridge.Entry{Export: export, PropsJSON: b.Service.Props.Value}}
			}
		default:
			return fmt.Errorf("%s: binding %s: durashim does not implement bindings of kind %s", b.Pos, b.Name, b.Kind)
		}
		w.env = append(w.env, out)
	}
	if w.borrowed != nil {
		w.env = append(w.env, jsbridge.Binding{Name: "SELF", Service: service{w.borrowed, "default"}})
	}
	return nil
}

func (w *worker) findNamespace(ref *config.DurableObjectRef) (*namespace, error) {
	owner := w
	if w.borrowed != nil {
		owner = w.borrowed
	}
	if ref.ServiceName.IsSet() {
		if owner = w.rt.worker(ref.ServiceName.Value); owner == nil {
			return nil, fmt.Errorf("there is no worker %q", ref.ServiceName)
		}
	}
	ns := owner.namespaces[ref.ClassName.Value]
	if ns == nil {
		return nil, fmt.Errorf("worker %s declares no Durable Object class %q", owner.name, ref.ClassName)
	}
	return ns, nil
}
