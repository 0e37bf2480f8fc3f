package conformance

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// OracleVersion is the version of the npm package workerd that the suite is
// compared with.
const OracleVersion = "1.20261117.1"

// InstallOracle installs that version with npm into the user's cache directory,
// unless it is there, and returns the path of the binary. Nothing is written
// elsewhere. It needs npm, and the network the first time.
func InstallOracle(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "durashim", "workerd-"+OracleVersion)
	bin := filepath.Join(dir, "node_modules", ".bin", "workerd")
	if exec.CommandContext(ctx, bin, "--version").Run() == nil {
		return bin, nil // also a half-finished installation is done again
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund",
		"--prefix", dir, "workerd@"+OracleVersion)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install workerd@%s: %w\n%s", OracleVersion, err, out)
	}
	if out, err := exec.CommandContext(ctx, bin, "--version").CombinedOutput(); err != nil {
		return "", fmt.Errorf("the installed workerd %s does not start: %w\n%s", OracleVersion, err, out)
	}
	return bin, nil
}
