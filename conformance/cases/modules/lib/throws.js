throw Object.assign(new RangeError('while evaluating'), { code: 9 });
