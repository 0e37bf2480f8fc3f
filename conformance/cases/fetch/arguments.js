// Rule: what Headers, Request, Response, FormData, Blob and File say about arguments that they
// cannot take. Source: workerd; the texts are its own.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

// all returns what each of the actions fails with.
const all = (...actions) => Promise.all(actions.map((f) => thrown(f)));
const headers = new Headers();
const form = new FormData();

// Methods of Headers without arguments.
export const headersMissing = {
  async test() {
    assert.deepStrictEqual(
      await all(() => headers.get(), () => headers.set('a'), () => headers.append(), () => headers.has(), () => headers.delete(), () => headers.getAll(), () => headers.forEach()),
      [
        'TypeError: Failed to execute \'get\' on \'Headers\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'set\' on \'Headers\': parameter 2 is not of type \'string\'.',
        'TypeError: Failed to execute \'append\' on \'Headers\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'has\' on \'Headers\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'delete\' on \'Headers\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'getAll\' on \'Headers\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'forEach\' on \'Headers\': parameter 1 is not of type \'function\'.',
      ],
    );
  },
};

// Names and values of headers that are none.
export const headersNames = {
  async test() {
    assert.deepStrictEqual(
      await all(() => headers.get('a b'), () => headers.set('', 'x'), () => headers.append('a:', 'x'), () => headers.set('a', 'x\u0000y'), () => headers.set('a', 'x\ny')),
      [
        'TypeError: Invalid header name.',
        'nothing',
        'TypeError: Invalid header name.',
        'TypeError: Invalid header value.',
        'TypeError: Invalid header value.',
      ],
    );
  },
};

// What a Headers object can be made of.
export const headersInit = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Headers(5), () => new Headers('a'), () => new Headers([['a']]), () => new Headers([['a', 'b', 'c']]), () => new Headers([5]), () => new Headers({ 'a b': 'c' }), () => new Headers(null), () => new Headers(undefined)),
      [
        'TypeError: Failed to construct \'Headers\': constructor parameter 1 is not of type \'Headers or Sequence or object\'.',
        'TypeError: Failed to construct \'Headers\': constructor parameter 1 is not of type \'Headers or Sequence or object\'.',
        'TypeError: To initialize a Headers object from a sequence, each inner sequence must have exactly two elements.',
        'TypeError: To initialize a Headers object from a sequence, each inner sequence must have exactly two elements.',
        'TypeError: Incorrect type: the provided value is not of type \'Sequence\'.',
        'TypeError: Invalid header name.',
        'TypeError: Failed to construct \'Headers\': constructor parameter 1 is not of type \'Headers or Sequence or object\'.',
        'nothing',
      ],
    );
  },
};

// The callback of forEach must be a function.
export const headersForEach = {
  async test() {
    assert.deepStrictEqual(await all(() => headers.forEach(5), () => headers.forEach({})), [
      'TypeError: Failed to execute \'forEach\' on \'Headers\': parameter 1 is not of type \'function\'.',
      'TypeError: Failed to execute \'forEach\' on \'Headers\': parameter 1 is not of type \'function\'.',
    ]);
  },
};

// The methods need a Headers object.
export const headersReceiver = {
  async test() {
    assert.deepStrictEqual(
      await all(() => Headers.prototype.get.call({}, 'a'), () => Headers.prototype.entries.call(new URLSearchParams())),
      [
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      ],
    );
  },
};

// URLs that are none.
export const requestUrl = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request(), () => new Request(''), () => new Request('/a'), () => new Request(5), () => new Request({}), () => new Request('http://')),
      [
        'TypeError: Failed to construct \'Request\': constructor parameter 1 is not of type \'Request or string\'.',
        'TypeError: Invalid URL: ',
        'TypeError: Invalid URL: /a',
        'TypeError: Invalid URL: 5',
        'TypeError: Invalid URL: [object Object]',
        'TypeError: Invalid URL: http://',
      ],
    );
  },
};

// The second argument must be an object.
export const requestInit = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request('http://a', 5), () => new Request('http://a', 'x'), () => new Request('http://a', null), () => new Request('http://a', undefined)),
      [
        'TypeError: Failed to construct \'Request\': constructor parameter 2 is not of type \'RequestInitializerDict or Request\'.',
        'TypeError: Failed to construct \'Request\': constructor parameter 2 is not of type \'RequestInitializerDict or Request\'.',
        'nothing',
        'nothing',
      ],
    );
  },
};

// Methods of requests.
export const requestMethod = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request('http://a', { method: 'a b' }), () => new Request('http://a', { method: '' }), () => new Request('http://a', { method: 'TRACE' }), () => new Request('http://a', { method: 'foo' }), () => new Request('http://a', { method: 'get' })),
      [
        'TypeError: Invalid HTTP method string: a b',
        'TypeError: Invalid HTTP method string: ',
        'nothing',
        'TypeError: Invalid HTTP method string: foo',
        'nothing',
      ],
    );
  },
};

// A GET has no body.
export const requestBody = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request('http://a', { body: 'x' }), () => new Request('http://a', { method: 'HEAD', body: 'x' }), () => new Request('http://a', { method: 'POST', body: null })),
      [
        'TypeError: Request with a GET or HEAD method cannot have a body.',
        'TypeError: Request with a GET or HEAD method cannot have a body.',
        'nothing',
      ],
    );
  },
};

// How redirects are followed.
export const requestRedirect = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request('http://a', { redirect: 'error' }), () => new Request('http://a', { redirect: 'x' }), () => new Request('http://a', { redirect: 'manual' })),
      [
        'TypeError: Invalid redirect value, must be one of "follow" or "manual" ("error" won\'t be implemented since it does not make sense at the edge; use "manual" and check the response status code).',
        'TypeError: Invalid redirect value, must be one of "follow" or "manual" ("error" won\'t be implemented since it does not make sense at the edge; use "manual" and check the response status code).',
        'nothing',
      ],
    );
  },
};

// The modes of the cache.
export const requestCache = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request('http://a', { cache: 'no-store' }), () => new Request('http://a', { cache: 'x' }), () => new Request('http://a', { cache: 'reload' }), () => new Request('http://a', { cache: 'force-cache' })),
      [
        'nothing',
        'TypeError: Unsupported cache mode: x',
        'TypeError: Unsupported cache mode: reload',
        'TypeError: Unsupported cache mode: force-cache',
      ],
    );
  },
};

// The signal must be one.
export const requestSignal = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Request('http://a', { signal: {} }), () => new Request('http://a', { signal: null }), () => new Request('http://a', { signal: 5 })),
      [
        'TypeError: Incorrect type for the \'signal\' field on \'RequestInitializerDict\': the provided value is not of type \'AbortSignal\'.',
        'nothing',
        'TypeError: Incorrect type for the \'signal\' field on \'RequestInitializerDict\': the provided value is not of type \'AbortSignal\'.',
      ],
    );
  },
};

// A request whose body is used cannot be sent or cloned again.
export const requestUsed = {
  async test() {
    const r = new Request('http://a', { method: 'POST', body: 'x' });
    await r.text();
    assert.deepStrictEqual(await all(() => r.clone(), () => new Request(r), () => r.text(), () => new Request(r, { body: 'y' })), [
      'TypeError: This ReadableStream is currently locked to a reader,',
      'TypeError: Cannot reconstruct a Request with a used body.',
      'TypeError: Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
      'nothing',
    ]);
  },
};

// Statuses that are none.
export const responseStatus = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Response('', { status: 99 }), () => new Response('', { status: 600 }), () => new Response('', { status: 101 }), () => new Response('', { status: 'x' }), () => new Response('', { status: 200.9 }), () => new Response('', { status: null })),
      [
        'RangeError: Responses may only be constructed with status codes in the range 200 to 599, inclusive.',
        'RangeError: Responses may only be constructed with status codes in the range 200 to 599, inclusive.',
        'RangeError: Responses may only be constructed with status codes in the range 200 to 599, inclusive.',
        'RangeError: Responses may only be constructed with status codes in the range 200 to 599, inclusive.',
        'nothing',
        'RangeError: Responses may only be constructed with status codes in the range 200 to 599, inclusive.',
      ],
    );
  },
};

// Statuses without a body.
export const responseNullBody = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Response('x', { status: 204 }), () => new Response('x', { status: 304 }), () => new Response('', { status: 205 }), () => new Response(null, { status: 204 })),
      [
        'TypeError: Response with null body status (101, 204, 205, or 304) cannot have a body.',
        'TypeError: Response with null body status (101, 204, 205, or 304) cannot have a body.',
        'nothing',
        'nothing',
      ],
    );
  },
};

// The second argument.
export const responseInit = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Response('', 5), () => new Response('', null), () => new Response('', { headers: 5 }), () => new Response('', { statusText: 'a\nb' }), () => new Response('', { encodeBody: 'x' }), () => new Response('', { webSocket: 5 })),
      [
        'TypeError: Failed to construct \'Response\': constructor parameter 2 is not of type \'InitializerDict or Response\'.',
        'nothing',
        'TypeError: Incorrect type for the \'headers\' field on \'InitializerDict\': the provided value is not of type \'Headers or Sequence or object\'.',
        'TypeError: Invalid statusText',
        'TypeError: encodeBody: unexpected value: x',
        'TypeError: Incorrect type for the \'webSocket\' field on \'InitializerDict\': the provided value is not of type \'WebSocket\'.',
      ],
    );
  },
};

// Arguments of Response.redirect.
export const responseRedirect = {
  async test() {
    assert.deepStrictEqual(
      await all(() => Response.redirect(), () => Response.redirect('/a'), () => Response.redirect('http://a', 200), () => Response.redirect('http://a', 'x'), () => Response.redirect('http://a', 308)),
      [
        'TypeError: Failed to execute \'redirect\' on \'Response\': parameter 1 is not of type \'string\'.',
        'TypeError: Unable to parse URL: /a',
        'RangeError: 200 is not a redirect status code. It must be one of: 301, 302, 303, 307, or 308.',
        'RangeError: 0 is not a redirect status code. It must be one of: 301, 302, 303, 307, or 308.',
        'nothing',
      ],
    );
  },
};

// Arguments of Response.json.
export const responseJson = {
  async test() {
    assert.deepStrictEqual(
      await all(() => Response.json(), () => Response.json(undefined), () => Response.json(Symbol('x')), () => Response.json(1n), () => Response.json(1, 5)),
      [
        'TypeError: Failed to execute \'json\' on \'Response\': parameter 1 is not of type \'Value\'.',
        'nothing',
        'nothing',
        'TypeError: Do not know how to serialize a BigInt',
        'TypeError: Failed to execute \'json\' on \'Response\': parameter 2 is not of type \'InitializerDict or Response\'.',
      ],
    );
  },
};

// What a body can be.
export const responseBody = {
  async test() {
    assert.deepStrictEqual(
      [await new Response(5).text(), await new Response({}).text(), await thrown(() => new Response([1, 2]).text()), await new Response(null).text(), await new Response(undefined).text(), await new Response(true).text(), await thrown(() => new Response(Symbol('x')))],
      [
        '5',
        '[object Object]',
        'TypeError: This ReadableStream did not return bytes.',
        '',
        '',
        'true',
        'TypeError: Cannot convert a Symbol value to a string',
      ],
    );
  },
};

// A body is read once.
export const responseUsed = {
  async test() {
    const r = new Response('x');
    await r.text();
    assert.deepStrictEqual(await all(() => r.text(), () => r.json(), () => r.clone(), () => r.arrayBuffer()), [
      'TypeError: Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
      'TypeError: Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
      'TypeError: This ReadableStream is currently locked to a reader,',
      'TypeError: Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
    ]);
  },
};

// What is no JSON.
export const responseJsonInvalid = {
  async test() {
    assert.deepStrictEqual(
      (await all(() => new Response('').json(), () => new Response('{').json())).map((t) => t.split(':')[0]),
      ['SyntaxError', 'SyntaxError'],
    );
  },
};

// A form needs its content type.
export const responseFormData = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Response('x').formData(), () => new Response('x', { headers: { 'content-type': 'multipart/form-data' } }).formData(), () => new Response('x', { headers: { 'content-type': 'multipart/form-data; boundary=a' } }).formData()),
      [
        'TypeError: Unrecognized Content-Type header value. FormData can only parse the following MIME types: multipart/form-data, application/x-www-form-urlencoded',
        'TypeError: No boundary string in Content-Type header. The multipart/form-data MIME type requires a boundary parameter, e.g. \'Content-Type: multipart/form-data; boundary="abcd"\'. See RFC 7578, section 4.',
        'TypeError: No initial boundary string (or you have a truncated message).',
      ],
    );
  },
};

// Methods of FormData without arguments.
export const formMissing = {
  async test() {
    assert.deepStrictEqual(
      await all(() => form.append(), () => form.append('a'), () => form.get(), () => form.set('a'), () => form.has(), () => form.delete(), () => form.getAll(), () => form.forEach()),
      [
        'TypeError: Failed to execute \'append\' on \'FormData\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'append\' on \'FormData\': parameter 2 is not of type \'File or Blob or string\'.',
        'TypeError: Failed to execute \'get\' on \'FormData\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'set\' on \'FormData\': parameter 2 is not of type \'File or Blob or string\'.',
        'TypeError: Failed to execute \'has\' on \'FormData\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'delete\' on \'FormData\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'getAll\' on \'FormData\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'forEach\' on \'FormData\': parameter 1 is not of type \'function\'.',
      ],
    );
  },
};

// A name of a file is for files.
export const formValues = {
  async test() {
    assert.deepStrictEqual(
      await all(() => form.append('a', 'b', 'c'), () => form.append('a', new Blob([]), 'c'), () => form.set('a', 'b', 'c'), () => new FormData(5)),
      ['nothing', 'nothing', 'nothing', 'nothing'],
    );
  },
};

// What a Blob can be made of.
export const blobParts = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Blob(5), () => new Blob('a'), () => new Blob([5]), () => new Blob([{}]), () => new Blob({}), () => new Blob([], 5), () => new Blob(null), () => new Blob(undefined)),
      [
        'TypeError: Failed to construct \'Blob\': constructor parameter 1 is not of type \'Array\'.',
        'TypeError: Failed to construct \'Blob\': constructor parameter 1 is not of type \'Array\'.',
        'nothing',
        'nothing',
        'TypeError: Failed to construct \'Blob\': constructor parameter 1 is not of type \'Array\'.',
        'TypeError: Failed to construct \'Blob\': constructor parameter 2 is not of type \'Options\'.',
        'TypeError: Failed to construct \'Blob\': constructor parameter 1 is not of type \'Array\'.',
        'nothing',
      ],
    );
  },
};

// The type of a blob.
export const blobType = {
  async test() {
    assert.deepStrictEqual(
      [new Blob([], { type: 'Text/Plain' }).type, new Blob([], { type: 'a\u00e9' }).type, new Blob([], { type: 5 }).type, new Blob([], { type: undefined }).type],
      ['text/plain', '', '5', ''],
    );
  },
};

// Bounds of a slice.
export const blobSlice = {
  async test() {
    const b = new Blob(['abcdef']);
    const read = (...range) => b.slice(...range).text();
    assert.deepStrictEqual(
      [await read(), await read(2), await read(-2), await read(1, 3), await read(4, 2), await read(0, 99), b.slice(0, 1, 'X/y').type, await thrown(() => b.slice('x'))],
      ['abcdef', 'cdef', 'ef', 'bc', '', 'abcdef', 'x/y', 'nothing'],
    );
  },
};

// A File needs a name.
export const fileArguments = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new File(), () => new File([]), () => new File([], 5), () => new File('a', 'n'), () => new File([], 'n', 5), () => new File([], 'n', { lastModified: 'x' })),
      [
        'TypeError: Failed to construct \'File\': constructor parameter 2 is not of type \'string\'.',
        'TypeError: Failed to construct \'File\': constructor parameter 2 is not of type \'string\'.',
        'nothing',
        'TypeError: Failed to construct \'File\': constructor parameter 1 is not of type \'Array\'.',
        'TypeError: Failed to construct \'File\': constructor parameter 3 is not of type \'Options\'.',
        'nothing',
      ],
    );
  },
};
