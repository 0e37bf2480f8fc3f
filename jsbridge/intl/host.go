package intl

import (
	"math"
	"math/big"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// flat turns parts into an array of types and values.
func (in *Intl) flat(p parts) goja.Value {
	out := make([]any, 0, 2*len(p))
	for _, x := range p {
		out = append(out, x.typ, x.value)
	}
	return in.rt.NewArray(out...)
}

// host is what the JavaScript part calls.
func (in *Intl) host() *goja.Object {
	rt := in.rt
	o := rt.NewObject()
	set := func(name string, f func(goja.FunctionCall) goja.Value) { _ = o.Set(name, f) }
	set("canonical", func(c goja.FunctionCall) goja.Value {
		if tag, ok := canonicalLocale(c.Argument(0).String()); ok {
			return rt.ToValue(tag)
		}
		return goja.Undefined()
	})
	set("supported", func(c goja.FunctionCall) goja.Value { return rt.ToValue(supported(c.Argument(0).String())) })
	set("now", func(goja.FunctionCall) goja.Value { return rt.ToValue(in.now().UnixMilli()) })
	set("hasUnit", func(c goja.FunctionCall) goja.Value { return rt.ToValue(units()[c.Argument(0).String()] != nil) })
	set("currencyDigits", func(c goja.FunctionCall) goja.Value { return rt.ToValue(currencyOf(c.Argument(0).String()).digits) })
	set("zone", func(c goja.FunctionCall) goja.Value {
		name := localZone()
		if v := c.Argument(0); !goja.IsUndefined(v) {
			var ok bool
			if name, _, ok = zoneOf(v.String()); !ok {
				return goja.Undefined()
			}
		}
		return rt.ToValue(name)
	})
	set("values", func(c goja.FunctionCall) goja.Value {
		var list []string
		switch c.Argument(0).String() {
		case "currency":
			rows(currencyTable, func(r []string) { list = append(list, r[0]) })
		case "unit":
			rows(unitTable, func(r []string) {
				if !strings.Contains(r[0], "-per-") {
					list = append(list, r[0])
				}
			})
		case "timeZone":
			list = zoneIndex().listed
		}
		return rt.ToValue(rt.NewArray(anys(list)...))
	})
	set("number", in.number)
	set("date", in.date)
	set("collator", func(c goja.FunctionCall) goja.Value {
		k := newCollator(c.Argument(0).String(), c.Argument(1).String(), c.Argument(2).ToBoolean(), c.Argument(3).ToBoolean())
		return rt.ToValue(func(c goja.FunctionCall) goja.Value {
			return rt.ToValue(k.compare(c.Argument(0).String(), c.Argument(1).String()))
		})
	})
	set("segments", func(c goja.FunctionCall) goja.Value {
		pieces, words := segments(c.Argument(0).String(), c.Argument(1).String())
		list := make([]any, 0, 2*len(pieces))
		for i, p := range pieces {
			list = append(list, p, words != nil && words[i])
		}
		return rt.NewArray(list...)
	})
	return o
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// number makes a formatter of resolved options: it takes a number, a BigInt or a
// numeric string and returns flat parts.
func (in *Intl) number(c goja.FunctionCall) goja.Value {
	src := c.Argument(0).ToObject(in.rt)
	str := func(k string) string {
		if v := src.Get(k); v != nil && !goja.IsUndefined(v) {
			return v.String()
		}
		return ""
	}
	num := func(k string, none int) int {
		if v := src.Get(k); v != nil && !goja.IsUndefined(v) {
			return int(v.ToInteger())
		}
		return none
	}
	o := &numberOptions{
		style: str("style"), currency: str("currency"), currencyDisplay: str("currencyDisplay"), currencySign: str("currencySign"),
		unit: str("unit"), unitDisplay: str("unitDisplay"), notation: str("notation"), compactDisplay: str("compactDisplay"),
		signDisplay: str("signDisplay"), grouping: str("useGrouping"), roundingMode: str("roundingMode"),
		roundingPriority: str("roundingPriority"), trailingZeros: str("trailingZeroDisplay"),
		minInt: num("minimumIntegerDigits", 1), minFrac: num("minimumFractionDigits", 0), maxFrac: num("maximumFractionDigits", -1),
		minSig: num("minimumSignificantDigits", 0), maxSig: num("maximumSignificantDigits", 0), increment: num("roundingIncrement", 1),
	}
	return in.rt.ToValue(func(c goja.FunctionCall) goja.Value { return in.flat(o.format(in.decimalOf(c.Argument(0)))) })
}

// decimalOf reads a number, a BigInt or a numeric string.
func (in *Intl) decimalOf(v goja.Value) decimal {
	switch x := v.Export().(type) {
	case *big.Int:
		return decimal{neg: x.Sign() < 0, c: new(big.Int).Abs(x)}
	case string:
		s := strings.TrimSpace(x)
		if d, ok := parseDecimal(s); ok {
			return d
		}
		return fromFloat(in.rt.ToValue(s).ToFloat())
	}
	return fromFloat(v.ToFloat())
}

// date makes a formatter of resolved options: it takes a time value and returns
// flat parts.
func (in *Intl) date(c goja.FunctionCall) goja.Value {
	src := c.Argument(0).ToObject(in.rt)
	str := func(k string) string {
		if v := src.Get(k); v != nil && !goja.IsUndefined(v) {
			return v.String()
		}
		return ""
	}
	o := &dateOptions{
		weekday: str("weekday"), era: str("era"), year: str("year"), month: str("month"), day: str("day"), dayPeriod: str("dayPeriod"),
		hour: str("hour"), minute: str("minute"), second: str("second"), zoneName: str("timeZoneName"), hourCycle: str("hourCycle"),
		at: str("at") != "", zone: str("timeZone"),
	}
	if v := src.Get("fractionalSecondDigits"); v != nil && !goja.IsUndefined(v) {
		o.fraction = int(v.ToInteger())
	}
	var ok bool
	if _, o.loc, ok = zoneOf(o.zone); !ok {
		o.loc = time.UTC
	}
	return in.rt.ToValue(func(c goja.FunctionCall) goja.Value {
		ms := c.Argument(0).ToFloat()
		if math.IsNaN(ms) || math.Abs(ms) > maxTime {
			return goja.Undefined()
		}
		return in.flat(o.format(ms))
	})
}
