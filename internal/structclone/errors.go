package structclone

import "fmt"

// SyntaxError reports a message that is no structured clone, that is cut off,
// or that goes beyond a limit.
type SyntaxError struct {
	Offset int    // where in the message, in bytes from its header
	Tag    byte   // the tag being read, 0 when none was
	Reason string // what is wrong
}

func (e *SyntaxError) Error() string {
	if e.Tag == 0 {
		return fmt.Sprintf("structured clone: %s at offset %d", e.Reason, e.Offset)
	}
	return fmt.Sprintf("structured clone: %s at offset %d, tag %s", e.Reason, e.Offset, tagName(e.Tag))
}

// UnknownTagError reports a tag that has no meaning, or none that this package
// knows: shared buffers, WebAssembly modules and transferred buffers are of V8's
// format but are never stored.
type UnknownTagError struct {
	Offset int
	Tag    byte
}

func (e *UnknownTagError) Error() string {
	what := ""
	switch e.Tag {
	case 'u':
		what = " (SharedArrayBuffer)"
	case 't':
		what = " (transferred ArrayBuffer)"
	case 'w':
		what = " (WebAssembly.Module)"
	case 'm':
		what = " (WebAssembly.Memory)"
	case 'p':
		what = " (shared object)"
	}
	return fmt.Sprintf("structured clone: unknown tag %s%s at offset %d", tagName(e.Tag), what, e.Offset)
}

// VersionError reports a message that does not begin with a header, or with one
// of a version that cannot be read.
type VersionError struct {
	Version uint32 // 0 when there is no header
}

func (e *VersionError) Error() string {
	if e.Version == 0 {
		return "structured clone: no header at offset 0"
	}
	return fmt.Sprintf("structured clone: version %d is not one of %d to %d", e.Version, minVersion, Version)
}

func tagName(b byte) string {
	if b > ' ' && b < 0x7f {
		return fmt.Sprintf("%q", rune(b))
	}
	return fmt.Sprintf("0x%02x", b)
}
