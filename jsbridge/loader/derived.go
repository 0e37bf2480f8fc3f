package loader

import "unicode"

// derived has the properties that the standard derives from others
// (DerivedCoreProperties of the Unicode Character Database).
var derived = func() map[string]func(rune) bool {
	patternOrSpace := func(r rune) bool { return unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space) }
	idStart := func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) && !patternOrSpace(r)
	}
	idContinue := func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) && !patternOrSpace(r)
	}
	assigned := func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
	}
	// What NFKC makes two characters of, the second of which continues a name
	// (Unicode Standard Annex 31, section 5.1).
	nfkc := func(r rune) bool {
		return r == 0x37a || r == 0x309b || r == 0x309c || r >= 0xfc5e && r <= 0xfc63 || r == 0xfdfa || r == 0xfdfb || r >= 0xfe70 && r <= 0xfe7e && r%2 == 0
	}
	nfkcStart := func(r rune) bool { return r == 0xe33 || r == 0xeb3 || r == 0xff9e || r == 0xff9f }
	extend := func(r rune) bool { return unicode.In(r, unicode.Me, unicode.Mn, unicode.Other_Grapheme_Extend) }
	out := map[string]func(rune) bool{
		"ID_Start": idStart, "ID_Continue": idContinue,
		"XID_Start":    func(r rune) bool { return idStart(r) && !nfkc(r) && !nfkcStart(r) },
		"XID_Continue": func(r rune) bool { return idContinue(r) && !nfkc(r) },
		"Assigned":     assigned,
		"Default_Ignorable_Code_Point": func(r rune) bool {
			return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
				!unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark) && (r < 0xfff9 || r > 0xfffb) && (r < 0x13430 || r > 0x13440)
		},
		"Math": func(r rune) bool { return unicode.In(r, unicode.Sm, unicode.Other_Math) },
		"Cased": func(r rune) bool {
			return unicode.In(r, unicode.Lu, unicode.Other_Uppercase, unicode.Ll, unicode.Other_Lowercase, unicode.Lt)
		},
		"Grapheme_Extend": extend,
		"Grapheme_Base": func(r rune) bool {
			return assigned(r) && !extend(r) && !unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
		},
	}
	for short, name := range map[string]string{"IDS": "ID_Start", "IDC": "ID_Continue", "Gr_Ext": "Grapheme_Extend", "Gr_Base": "Grapheme_Base", "XIDS": "XID_Start", "XIDC": "XID_Continue", "DI": "Default_Ignorable_Code_Point"} {
		out[short] = out[name]
	}
	return out
}()
