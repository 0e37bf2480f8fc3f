package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// measuredOn is the release of the real runtime whose behaviour is followed.
const measuredOn = "2026-11-17"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which durashim this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, versionText(debug.ReadBuildInfo()))
			return err
		},
	}
}

// versionText is made from what Go's linker knows: the module's version, or for a
// build from a working tree its commit.
func versionText(info *debug.BuildInfo, ok bool) string {
	if !ok {
		info = &debug.BuildInfo{}
	}
	v, setting := info.Main.Version, map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	if v == "" || v == "(devel)" {
		v = "of an unknown version"
		if rev := setting["vcs.revision"]; len(rev) >= 12 {
			v = "at commit " + rev[:12]
			if setting["vcs.modified"] == "true" {
				v += ", modified"
			}
		}
	}
	return fmt.Sprintf("durashim %s (%s %s/%s), follows workerd %s", v, info.GoVersion, setting["GOOS"], setting["GOARCH"], measuredOn)
}
