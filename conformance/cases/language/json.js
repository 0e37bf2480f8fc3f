// Rule: JSON.parse, its values and the texts of its errors.
// Source: ECMAScript 2026, section 25.5; V8's messages.
import assert from 'node:assert';

// Values of every kind.
export const values = {
  test() {
    assert.deepStrictEqual(JSON.parse(' {"a": [1, -0.5e3, true, null, "\\u00e9\\n\\ud83d\\ude00"], "": {}} '), { a: [1, -500, true, null, 'é\n😀'], '': {} });
    assert.ok(Object.is(JSON.parse('-0'), -0));
    assert.strictEqual(JSON.parse('1e400'), Infinity);
    assert.strictEqual(JSON.parse('9007199254740993'), 9007199254740992);
  },
};

// Half of a surrogate pair, escaped or not.
export const loneSurrogates = {
  test() {
    assert.strictEqual(JSON.parse('"\\ud83d"'), '\ud83d');
    assert.strictEqual(JSON.parse('"x\\ude00y"').length, 3);
    assert.strictEqual(JSON.parse(JSON.stringify('\ud83d')), '\ud83d');
  },
};

// The order of properties, and names that come twice.
export const order = {
  test() {
    assert.strictEqual(JSON.stringify(JSON.parse('{"b":1,"2":2,"a":3,"1":4,"b":5}')), '{"1":4,"2":2,"b":5,"a":3}');
  },
};

// __proto__ is a property as any other.
export const proto = {
  test() {
    const o = JSON.parse('{"__proto__": {"x": 1}}');
    assert.deepStrictEqual([Object.keys(o), o.x, Object.getPrototypeOf(o) === Object.prototype], [['__proto__'], undefined, true]);
  },
};

const says = (text, message) => assert.throws(() => JSON.parse(text), { name: 'SyntaxError', message });

// A character that no value begins with.
export const unexpectedToken = {
  test() {
    says('not JSON', `Unexpected token 'o', "not JSON" is not valid JSON`);
    says('[1,]', `Unexpected token ']', "[1,]" is not valid JSON`);
    says('<!DOCTYPE html><html></html>', `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`);
    says('["a","b","c","d","e",x,"g","h","i"]', `Unexpected token 'x', ..."","d","e",x,"g","h","... is not valid JSON`);
    says('{"a":"b","c":[1,{"d":ull}]}', `Unexpected token 'u', ..."":[1,{"d":ull}]}" is not valid JSON`);
  },
};

// What is no JSON but a value that was converted to text.
export const convertedValues = {
  test() {
    says(undefined, '"undefined" is not valid JSON');
    says({}, '"[object Object]" is not valid JSON');
    says(NaN, '"NaN" is not valid JSON');
  },
};

// The end comes too early.
export const earlyEnd = {
  test() {
    says('', 'Unexpected end of JSON input');
    says('{"a":', 'Unexpected end of JSON input');
    says('{', "Expected property name or '}' in JSON at position 1 (line 1 column 2)");
    says('"abc', 'Unterminated string in JSON at position 4 (line 1 column 5)');
    says('[1', "Expected ',' or ']' after array element in JSON at position 2 (line 1 column 3)");
  },
};

// Something else than what the place needs.
export const places = {
  test() {
    says("{'a':1}", "Expected property name or '}' in JSON at position 1 (line 1 column 2)");
    says('{"a":1,}', 'Expected double-quoted property name in JSON at position 7 (line 1 column 8)');
    says('{"a" 1}', "Expected ':' after property name in JSON at position 5 (line 1 column 6)");
    says('{\n  "é": 1\n  "b": 2}', "Expected ',' or '}' after property value in JSON at position 13 (line 3 column 3)");
    says('1 2', 'Unexpected non-whitespace character after JSON at position 2 (line 1 column 3)');
  },
};

// Numbers and strings that are not formed well.
export const malformed = {
  test() {
    says('01', 'Unexpected number in JSON at position 1 (line 1 column 2)');
    says('-', 'No number after minus sign in JSON at position 1 (line 1 column 2)');
    says('1.', 'Unterminated fractional number in JSON at position 2 (line 1 column 3)');
    says('1e+', 'Exponent part is missing a number in JSON at position 3 (line 1 column 4)');
    says('"a\nb"', 'Bad control character in string literal in JSON at position 2 (line 1 column 3)');
    says('"\\x"', 'Bad escaped character in JSON at position 2 (line 1 column 3)');
    says('"\\u00g0"', 'Bad Unicode escape in JSON at position 5 (line 1 column 6)');
  },
};

// The body of a message.
export const body = {
  async test() {
    await assert.rejects(() => new Response('<html>').json(), { name: 'SyntaxError', message: `Unexpected token '<', "<html>" is not valid JSON` });
    await assert.rejects(() => new Response('').json(), { name: 'SyntaxError', message: 'Unexpected end of JSON input' });
    assert.deepStrictEqual(await new Response('{"a":[1]}').json(), { a: [1] });
  },
};
