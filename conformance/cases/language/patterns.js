// Rule: regular expressions with properties of characters and with surrogates.
// Source: ECMAScript 2026, section 22.2; Unicode Technical Standard 51.
import assert from 'node:assert';

// The properties of emoji.
export const emoji = {
  test() {
    assert.deepStrictEqual('a1©😀👍'.match(/\p{Emoji}/gu), ['1', '©', '😀', '👍']);
    assert.deepStrictEqual('a1©😀👍'.match(/\p{Emoji_Presentation}/gu), ['😀', '👍']);
    assert.deepStrictEqual('a1©😀👍'.match(/\p{EBase}/gu), ['👍']);
    assert.ok(/^(\p{Extended_Pictographic}|\p{Emoji_Component})+$/u.test('👨‍👩‍👧'));
  },
};

// The properties of identifiers.
export const identifiers = {
  test() {
    assert.deepStrictEqual(['é', '_', '1', '$', '·'].map((c) => /^\p{ID_Start}$/u.test(c)), [true, false, false, false, false]);
    assert.deepStrictEqual(['é', '_', '1', '$', '·'].map((c) => /^\p{IDC}$/u.test(c)), [true, true, true, false, true]);
  },
};

// A pattern that is put together at run time.
export const builtPattern = {
  test() {
    const letters = '\\p{' + 'L}+';
    assert.deepStrictEqual('ab1é'.match(new RegExp(letters, 'gu')), ['ab', 'é']);
    assert.strictEqual(RegExp(`^${letters}$`, 'u').test('naïve'), true);
  },
};

// A property that does not exist.
export const unknownProperty = {
  test() {
    assert.throws(() => new RegExp('\\p{' + 'Nope}', 'gu'), {
      name: 'SyntaxError', message: 'Invalid regular expression: /\\p{Nope}/gu: Invalid property name',
    });
  },
};

// Classes of surrogates without the flag u.
export const surrogates = {
  test() {
    assert.deepStrictEqual('a😀b'.match(/[\ud800-\udbff][\udc00-\udfff]/g), ['😀']);
    assert.deepStrictEqual('fred 😀'.match(/[\ud800-\udbff][\udc00-\udfff]|\w+/g), ['fred', '😀']);
    assert.deepStrictEqual('a😀'.match(/[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]/g), ['a', '😀']);
    assert.deepStrictEqual('1-😀'.match(/[\d\ud83d-][\ude00]?/g), ['1', '-', '😀']);
    assert.strictEqual('a😀b'.replace(new RegExp('[\\ud800-\\udbff][' + '\\udc00-\\udfff]', 'g'), '_'), 'a_b');
  },
};
