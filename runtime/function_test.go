package runtime

import (
	"testing"
)

func TestMethodName(t *testing.T) {
	for name, want := range map[string]string{
		"Add": "add", "GetURL": "getURL", "URL": "url", "URLFor": "urlFor", "ID": "id", "IDs": "iDs", "A": "a", "AB": "ab", "ABc": "aBc",
		"X509Cert": "x509Cert", "Über": "über", "HTTPServer2": "httpServer2",
	} {
		if got := methodName(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
