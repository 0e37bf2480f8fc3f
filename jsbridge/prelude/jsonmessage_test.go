package prelude

import (
	"errors"
	"testing"

	"github.com/durashim/durashim/internal/structclone"
)

// The messages are V8's.
func TestJSONMessages(t *testing.T) {
	for text, want := range map[string]string{
		"undefined": `"undefined" is not valid JSON`,
		"":          "Unexpected end of JSON input",
		"not JSON":  `Unexpected token 'o', "not JSON" is not valid JSON`,
		"<!DOCTYPE html><html><head><title>Oops</title></head></html>": `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
		`{"a":"b","c":x[1,{"d":null}]}`:                                `Unexpected token 'x', ..."":"b","c":x[1,{"d":n"... is not valid JSON`,
		`{"a":"b","c":[1,{"d":ull}]}`:                                  `Unexpected token 'u', ..."":[1,{"d":ull}]}" is not valid JSON`,
		"{\n  \"é\": 1\r\n  \"b\": 2}":                                 "Expected ',' or '}' after property value in JSON at position 14 (line 3 column 3)",
		`{"a":"😀", x}`:                                                 "Expected double-quoted property name in JSON at position 11 (line 1 column 12)",
		"1 2":                                                          "Unexpected non-whitespace character after JSON at position 2 (line 1 column 3)",
	} {
		var w structclone.Writer
		var e *structclone.JSONError
		if err := w.JSON(text, 10); !errors.As(err, &e) {
			t.Errorf("%q: %v", text, err)
		} else if got := jsonMessage(text, e); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
