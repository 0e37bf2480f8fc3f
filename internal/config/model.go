package config

import (
	"github.com/durashim/durashim/internal/config/source"
)

// Pos is a place in a configuration file; see [source.Pos].
type Pos = source.Pos

// Error is a problem at a place; every error of [Load] that concerns the
// content of a file is one (use errors.As).
type Error = source.Error

// Text is a string together with the place where it is written, so that a later
// stage can name the place when the string turns out to be wrong.
type Text struct {
	Value string
	Pos   Pos
}

// String returns the value alone.
func (t Text) String() string { return t.Value }

// IsSet reports whether the file states the value, even as an empty string.
func (t Text) IsSet() bool { return t.Pos.IsValid() }

// Format says which of the two configuration formats a Config came from. A few
// rules differ: wrangler's `main` is bundled, workerd's modules are not.
type Format int

const (
	// FormatWorkerd is Cap'n Proto text as `workerd serve` takes it.
	FormatWorkerd Format = iota
	// FormatWrangler is wrangler.jsonc, wrangler.json or wrangler.toml.
	FormatWrangler
)

// String returns "workerd" or "wrangler".
func (f Format) String() string {
	if f == FormatWrangler {
		return "wrangler"
	}
	return "workerd"
}

// Config is one configuration, whichever format it was written in (struct
// Config of workerd.capnp). It is plain data: nothing here changes it after
// [Load], and it may be read by several goroutines.
type Config struct {
	// Path is the absolute path of the file, Dir its directory. Files that a
	// wrangler configuration names are relative to Dir; see also [DiskDirectory].
	Path, Dir string
	Format    Format
	// ConstName is the constant the Config was taken from; "" for wrangler.
	ConstName string
	// Environment is the wrangler environment that was asked for; "" for none.
	Environment string
	Pos         Pos

	Services   []*Service
	Sockets    []*Socket
	Extensions []*Extension
	// V8Flags are flags for the V8 engine; a runtime without V8 can honour few.
	V8Flags []Text
	// Autogates are workerd's internal feature gates.
	Autogates []Text
	// StructuredLogging asks for log lines in JSON (structuredLogging, or
	// logging.structuredLogging).
	StructuredLogging bool
	Unsupported       []Unsupported
	// Files are the paths of all files that were read, for a caller that wants
	// to notice changes: the configuration, its imports, and what it embeds. The
	// modules that a wrangler worker imports are not among them.
	Files []string
}

// Service returns the service of that name, or nil. If two have the name, the
// first is returned; [Load] refuses such files.
func (c *Config) Service(name string) *Service {
	for _, s := range c.Services {
		if s.Name.Value == name {
			return s
		}
	}
	return nil
}

// Unsupported marks a part of a file that is valid but that the model does not
// hold. It is kept so that a later stage can report it by name instead of
// ignoring it.
type Unsupported struct {
	// Name is the part, qualified by the struct it belongs to, as
	// workerd.capnp or the wrangler documentation calls it:
	// "Worker.containerEngine", "d1_databases".
	Name string
	Pos  Pos
}

// Service is one named service (struct Service of workerd.capnp). Exactly one
// of Worker, Network, External and Disk is set, unless Unsupported names a kind
// of service that the model does not hold.
type Service struct {
	Name Text
	Pos  Pos

	Worker   *Worker
	Network  *Network
	External *ExternalServer
	Disk     *DiskDirectory

	Unsupported []Unsupported
}

// ServiceRef points to a service, and perhaps to one of its entrypoints (struct
// ServiceDesignator of workerd.capnp).
type ServiceRef struct {
	Name Text
	// Entrypoint is the named export; not set for the default export.
	Entrypoint Text
	// Props is the JSON text that becomes ctx.props; not set for none.
	Props Text
	Pos   Pos
}

// Socket is an address to listen on (struct Socket of workerd.capnp).
type Socket struct {
	Name    Text
	Address Text
	Pos     Pos
	// Protocol is the union member that was chosen: "http", "https", "tcp" or
	// "udp"; "http" if none was, as it is the default.
	Protocol string
	// HTTP holds the options of http and https; nil for the others.
	HTTP *HTTPOptions
	// Service takes what arrives; nil if the file names none, which
	// [Config.Validate] reports.
	Service *ServiceRef

	Unsupported []Unsupported
}

// HTTPOptions is struct HttpOptions of workerd.capnp.
type HTTPOptions struct {
	// Style is "host" (the default) or "proxy".
	Style                Text
	ForwardedProtoHeader Text
	CfBlobHeader         Text
	// InjectRequestHeaders and InjectResponseHeaders replace or, without a
	// value, remove headers.
	InjectRequestHeaders, InjectResponseHeaders []Header
	// CapnpConnectHost is the host of Cap'n Proto RPC connections.
	CapnpConnectHost Text
	Pos              Pos
}

// Header is a header to inject. A Value that is not set removes the header.
type Header struct{ Name, Value Text }

// Network is access to a network (struct Network of workerd.capnp).
type Network struct {
	// Allow and Deny hold CIDR blocks and the words public, private, local,
	// network, unix, unix-abstract. Allow is ["public"] if the file says
	// nothing.
	Allow, Deny []Text
	Pos         Pos
	Unsupported []Unsupported
}

// ExternalServer is a back-end server (struct ExternalServer of workerd.capnp).
type ExternalServer struct {
	// Address is not set when it must come from the command line
	// (--external-addr).
	Address Text
	// Protocol is "http" (the default), "https" or "tcp".
	Protocol string
	// HTTP holds the options of http and https; nil for tcp.
	HTTP            *HTTPOptions
	CertificateHost Text
	Pos             Pos
	Unsupported     []Unsupported
}

// DiskDirectory is a directory on disk (struct DiskDirectory of workerd.capnp).
type DiskDirectory struct {
	// Path is not set when it must come from the command line
	// (--directory-path). As in workerd a relative path is relative to the
	// current directory of the process, not to the file; the disk service that
	// a wrangler file implies has an absolute path.
	Path Text
	// Writable allows PUT. AllowDotfiles shows names that start with a dot.
	Writable, AllowDotfiles bool
	// Implied says that no file states the service: a wrangler file implies it
	// to hold its objects' storage, and it is made at the first start.
	Implied bool
	Pos     Pos
}

// Extension holds modules for all workers (struct Extension of workerd.capnp).
type Extension struct {
	Modules []ExtensionModule
	Pos     Pos
}

// ExtensionModule is one ES module of an Extension.
type ExtensionModule struct {
	Name Text
	// Internal modules can be imported by extension modules only.
	Internal bool
	// Source is the text of the ES module; its Pos is the place of the value,
	// or of the embedded file.
	Source Text
	Pos    Pos
}
