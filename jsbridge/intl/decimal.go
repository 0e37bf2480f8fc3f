package intl

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// decimal is a decimal number: c times ten to the power exp.
type decimal struct {
	neg, nan, inf bool
	c             *big.Int
	exp           int
}

// maxExponent bounds what a string may ask for: each unit is a digit.
const maxExponent = 5000

func fromFloat(f float64) decimal {
	switch {
	case math.IsNaN(f):
		return decimal{nan: true}
	case math.IsInf(f, 0):
		return decimal{inf: true, neg: f < 0}
	}
	// The shortest digits that give the number, as ICU takes them.
	d, _ := parseDecimal(strconv.FormatFloat(math.Abs(f), 'e', -1, 64))
	d.neg = math.Signbit(f)
	return d
}

// parseDecimal reads digits with an optional point and exponent.
func parseDecimal(s string) (decimal, bool) {
	var d decimal
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		d.neg = s[0] == '-'
		s = s[1:]
	}
	mant, exp, hasExp := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mant, exp, hasExp = s[:i], s[i+1:], true
	}
	whole, frac, _ := strings.Cut(mant, ".")
	digits := whole + frac
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return d, false
	}
	d.exp = -len(frac)
	if hasExp {
		n, err := strconv.Atoi(exp)
		if err != nil || n > maxExponent || n < -maxExponent {
			return d, false
		}
		d.exp += n
	}
	d.c, _ = new(big.Int).SetString(digits, 10)
	return d, true
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func (d decimal) zero() bool { return !d.nan && !d.inf && d.c.Sign() == 0 }

// magnitude is the number of digits before the point; it is negative or zero
// for small fractions, and 1 for zero.
func (d decimal) magnitude() int {
	if d.zero() {
		return 1
	}
	return len(d.c.String()) + d.exp
}

// round gives the nearest multiple of increment units of the last of pos
// fraction digits (https://tc39.es/ecma402/#sec-applyunsignedroundingmode).
func (d decimal) round(pos, increment int, mode string) decimal {
	if d.exp >= -pos && increment == 1 {
		return d
	}
	num, div := d.c, big.NewInt(int64(increment))
	if shift := -pos - d.exp; shift >= 0 {
		div = new(big.Int).Mul(div, pow10(shift))
	} else {
		num = new(big.Int).Mul(num, pow10(-shift))
	}
	q, r := new(big.Int).QuoRem(num, div, new(big.Int))
	half := new(big.Int).Lsh(r, 1).Cmp(div)
	up := false
	switch mode {
	case "ceil":
		up = !d.neg
	case "floor":
		up = d.neg
	case "expand":
		up = true
	case "trunc":
	case "halfCeil":
		up = half > 0 || half == 0 && !d.neg
	case "halfFloor":
		up = half > 0 || half == 0 && d.neg
	case "halfTrunc":
		up = half > 0
	case "halfEven":
		up = half > 0 || half == 0 && q.Bit(0) == 1
	default:
		up = half >= 0
	}
	if up && r.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	d.c, d.exp = q.Mul(q, big.NewInt(int64(increment))), -pos
	return d
}

// digits returns the digits before and after the point. The fraction has at
// least min digits and no zeros at its end beyond them.
func (d decimal) digits(min int) (whole, frac string) {
	s := d.c.String()
	switch {
	case d.exp >= 0:
		if s != "0" {
			s += strings.Repeat("0", d.exp)
		}
		whole = s
	case len(s) > -d.exp:
		whole, frac = s[:len(s)+d.exp], s[len(s)+d.exp:]
	default:
		whole, frac = "0", strings.Repeat("0", -d.exp-len(s))+s
	}
	frac = strings.TrimRight(frac, "0")
	if len(frac) < min {
		frac += strings.Repeat("0", min-len(frac))
	}
	return whole, frac
}
