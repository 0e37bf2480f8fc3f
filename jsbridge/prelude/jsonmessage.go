package prelude

import (
	"fmt"
	"unicode/utf16"

	"github.com/durashim/durashim/internal/structclone"
)

// jsonContext is how many code units V8 shows on either side of a character that
// does not fit into a JSON text.
const jsonContext = 10

// jsonMessage words an error of JSON.parse as V8 does.
func jsonMessage(text string, e *structclone.JSONError) string {
	switch text {
	case "undefined", "NaN", "Infinity", "[object Object]":
		return fmt.Sprintf("%q is not valid JSON", text)
	}
	if e.Reason == structclone.JSONEnd {
		return string(e.Reason)
	}
	units := utf16.Encode([]rune(text))
	at := len(utf16.Encode([]rune(text[:e.Offset])))
	if e.Reason == structclone.JSONToken {
		show := func(from, to int) string { return string(utf16.Decode(units[from:to])) }
		message := "Unexpected token '" + show(at, at+1) + "', "
		switch n := len(units); {
		case n <= 2*jsonContext:
			message += `"` + text + `"`
		case at < jsonContext:
			message += `"` + show(0, at+jsonContext) + `"...`
		case at < n-jsonContext:
			message += `..."` + show(at-jsonContext, at+jsonContext) + `"...`
		default:
			message += `..."` + show(at-jsonContext, n) + `"`
		}
		return message + " is not valid JSON"
	}
	line, column := 1, 1
	for i, u := range units[:at] {
		column++
		if u == '\n' || u == '\r' && (i+1 >= len(units) || units[i+1] != '\n') {
			line, column = line+1, 1
		}
	}
	in := " in JSON"
	if e.Reason == structclone.JSONAfterwards {
		in = ""
	}
	return fmt.Sprintf("%s%s at position %d (line %d column %d)", e.Reason, in, at, line, column)
}
