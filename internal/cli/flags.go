package cli

import (
	"fmt"
	"strings"

	"github.com/durashim/durashim/runtime"
	"github.com/spf13/pflag"
)

// configFlags are the flags about the configuration that serve and test have in
// common with the real runtime's commands of these names.
type configFlags struct {
	directories  []string
	externals    []string
	importPath   []string
	compatDate   string
	experimental bool
}

func (c *configFlags) add(f *pflag.FlagSet) {
	f.StringArrayVarP(&c.directories, "directory-path", "d", nil, "`name=path`: the disk service of that name is path")
	f.StringArrayVarP(&c.importPath, "import-path", "I", nil, "`dir` in which imports of the configuration that begin with a slash are looked for")
	f.StringVar(&c.compatDate, "compat-date", "", "compatibility `date` of workers that state none (YYYY-MM-DD)")
	f.BoolVar(&c.experimental, "experimental", false, "accepted for the sake of workerd's command lines; changes nothing")
}

// apply sets the options that the flags stand for.
func (c *configFlags) apply(o *runtime.Options) (err error) {
	o.ImportPath, o.CompatibilityDate = c.importPath, c.compatDate
	if o.DirectoryPaths, err = nameValues("--directory-path", c.directories); err != nil {
		return err
	}
	o.ExternalAddrs, err = nameValues("--external-addr", c.externals)
	return err
}

// nameValues reads the values name=value of a flag.
func nameValues(flag string, list []string) (map[string]string, error) {
	values := map[string]string{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s wants <name>=<value>, not %q", flag, s)
		}
		values[name] = value
	}
	return values, nil
}
