package builtin

import "github.com/dop251/goja"

// maxDiffCells bounds the table of lineScript: 64 MiB, some 4000 lines a side.
const maxDiffCells = 16 << 20

// lineScript finds a shortest way from a to b, lines given as numbers: -1 for
// a line of a alone, 1 for one of b alone, 0 for one of both. In a replaced
// stretch the lines of a come first. Texts too long for the table are replaced
// as a whole.
func lineScript(a, b []int32) []int {
	out := make([]int, 0, len(a)+len(b))
	w := len(b) + 1
	if len(a) > 0 && w > maxDiffCells/len(a) {
		for range a {
			out = append(out, -1)
		}
		for range b {
			out = append(out, 1)
		}
		return out
	}
	// common[i*w+j] is the length of the longest common subsequence of the
	// first i lines of a and the first j of b.
	common := make([]int32, (len(a)+1)*w)
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			if a[i-1] == b[j-1] {
				common[i*w+j] = common[(i-1)*w+j-1] + 1
			} else {
				common[i*w+j] = max(common[(i-1)*w+j], common[i*w+j-1])
			}
		}
	}
	for i, j := len(a), len(b); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && a[i-1] == b[j-1]:
			out = append(out, 0)
			i--
			j--
		case j > 0 && (i == 0 || common[i*w+j-1] >= common[(i-1)*w+j]):
			out = append(out, 1)
			j--
		default:
			out = append(out, -1)
			i--
		}
	}
	for l, r := 0, len(out)-1; l < r; l, r = l+1, r-1 {
		out[l], out[r] = out[r], out[l]
	}
	return out
}

func diffNative(rt *goja.Runtime, set func(string, func(goja.FunctionCall) goja.Value)) {
	set("lineScript", func(call goja.FunctionCall) goja.Value {
		a, ok := call.Argument(0).Export().([]int32)
		b, ok2 := call.Argument(1).Export().([]int32)
		if !ok || !ok2 {
			panic(rt.NewTypeError("lineScript takes two Int32Arrays"))
		}
		return rt.ToValue(lineScript(a, b))
	})
}
