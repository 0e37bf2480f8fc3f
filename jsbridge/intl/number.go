package intl

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// part is a piece of formatted text with its ECMA-402 type.
type part struct{ typ, value string }

type parts []part

func (p *parts) add(typ, value string) { *p = append(*p, part{typ, value}) }

func (p parts) String() string {
	var b strings.Builder
	for _, x := range p {
		b.WriteString(x.value)
	}
	return b.String()
}

// numberOptions are the resolved options of a NumberFormat.
type numberOptions struct {
	style, currency, currencyDisplay, currencySign, unit, unitDisplay string
	notation, compactDisplay, signDisplay, grouping                   string
	roundingMode, roundingPriority, trailingZeros                     string
	minInt, minFrac, maxFrac, minSig, maxSig, increment               int // minSig 0: not by significant digits; maxFrac -1: not by fraction digits
}

const nbsp = "\u00a0"

// roundNumber applies the digit options; min is how many fraction digits stay.
func (o *numberOptions) roundNumber(d decimal) (rounded decimal, min int) {
	bySig := func() (int, int) {
		r := d.round(o.maxSig-d.magnitude(), 1, o.roundingMode)
		return o.maxSig - d.magnitude(), max(0, o.minSig-r.magnitude())
	}
	switch {
	case o.minSig == 0:
		return d.round(o.maxFrac, o.increment, o.roundingMode), o.minFrac
	case o.maxFrac < 0:
		pos, min := bySig()
		return d.round(pos, 1, o.roundingMode), min
	}
	pos, min := bySig()
	if (o.roundingPriority == "morePrecision") == (pos < o.maxFrac) {
		pos, min = o.maxFrac, o.minFrac
	}
	return d.round(pos, 1, o.roundingMode), min
}

// format formats a number.
func (o *numberOptions) format(d decimal) parts {
	var body parts
	exponent, one := 0, false
	switch {
	case d.nan:
		body.add("nan", "NaN")
	case d.inf:
		body.add("infinity", "∞")
	default:
		if o.style == "percent" {
			d.exp += 2
		}
		d, exponent, one = o.finite(d, &body)
	}
	if o.notation == "compact" && exponent > 0 {
		if o.compactDisplay == "long" {
			body.add("literal", " ")
			body.add("compact", []string{"", "thousand", "million", "billion", "trillion"}[exponent/3])
		} else {
			body.add("compact", []string{"", "K", "M", "B", "T"}[exponent/3])
		}
	}
	return o.affixes(d, body, one && exponent == 0)
}

// finite writes the digits of a number; one tells whether it reads as 1.
func (o *numberOptions) finite(d decimal, out *parts) (rounded decimal, exponent int, one bool) {
	scale := func(d decimal) int {
		switch m := d.magnitude() - 1; o.notation {
		case "compact":
			return max(0, min(m/3*3, 12))
		case "scientific":
			if d.zero() {
				return 0
			}
			return m
		case "engineering":
			if d.zero() {
				return 0
			}
			return (m+300)/3*3 - 300
		}
		return 0
	}
	exponent = scale(d)
	shifted := d
	shifted.exp -= exponent
	r, minFrac := o.roundNumber(shifted)
	if o.notation != "standard" && !r.zero() {
		back := r
		back.exp += exponent
		if e := scale(back); e != exponent { // rounding has carried into another power
			exponent = e
			shifted.exp = d.exp - e
			r, minFrac = o.roundNumber(shifted)
		}
	}
	whole, frac := r.digits(minFrac)
	if o.trailingZeros == "stripIfInteger" && strings.Trim(frac, "0") == "" {
		frac = ""
	}
	if len(whole) < o.minInt {
		whole = strings.Repeat("0", o.minInt-len(whole)) + whole
	}
	one = whole == "1" && frac == ""
	least := 4
	if o.grouping == "min2" {
		least = 5
	}
	if o.grouping == "false" || len(whole) < least {
		out.add("integer", whole)
	} else {
		n := len(whole) % 3
		if n == 0 {
			n = 3
		}
		out.add("integer", whole[:n])
		for ; n < len(whole); n += 3 {
			out.add("group", ",")
			out.add("integer", whole[n:n+3])
		}
	}
	if frac != "" {
		out.add("decimal", ".")
		out.add("fraction", frac)
	}
	if o.notation == "scientific" || o.notation == "engineering" {
		out.add("exponentSeparator", "E")
		e := exponent
		if e < 0 {
			out.add("exponentMinusSign", "-")
			e = -e
		}
		out.add("exponentInteger", strconv.Itoa(e))
	}
	return r, exponent, one
}

// sign returns the sign that is shown.
func (o *numberOptions) sign(d decimal) string {
	zero := d.nan || d.zero()
	switch o.signDisplay {
	case "never":
		return ""
	case "always":
		if d.neg {
			return "-"
		}
		return "+"
	case "exceptZero":
		switch {
		case zero:
			return ""
		case d.neg:
			return "-"
		}
		return "+"
	case "negative":
		if zero {
			return ""
		}
	}
	if d.neg {
		return "-"
	}
	return ""
}

// affixes puts the sign, the currency or the unit around the digits.
func (o *numberOptions) affixes(d decimal, body parts, one bool) parts {
	var out parts
	sign := o.sign(d)
	accounting := o.style == "currency" && o.currencySign == "accounting" && o.currencyDisplay != "name" && sign == "-"
	switch {
	case accounting:
		out.add("literal", "(")
	case sign == "-":
		out.add("minusSign", "-")
	case sign == "+":
		out.add("plusSign", "+")
	}
	switch o.style {
	case "percent":
		out = append(out, body...)
		out.add("percentSign", "%")
	case "currency":
		c := currencyOf(o.currency)
		if o.currencyDisplay == "name" {
			out = append(out, body...)
			out.add("literal", " ")
			out.add("currency", c.name(one))
			break
		}
		symbol := c.symbolFor(o.currencyDisplay)
		out.add("currency", symbol)
		// A space keeps a letter from the first digit.
		if r, _ := utf8.DecodeLastRuneInString(symbol); !unicode.IsSymbol(r) && body[0].typ == "integer" {
			out.add("literal", nbsp)
		}
		out = append(out, body...)
	case "unit":
		before, space, after := unitPattern(o.unit, o.unitDisplay, one)
		if before != "" {
			out.add("unit", before)
		}
		out = append(out, body...)
		if space != "" {
			out.add("literal", space)
		}
		if after != "" {
			out.add("unit", after)
		}
	default:
		out = append(out, body...)
	}
	if accounting {
		out.add("literal", ")")
	}
	return out
}
