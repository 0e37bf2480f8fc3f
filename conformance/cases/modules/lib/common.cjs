module.exports = { name: 'common', answer: require('./common-dep.cjs').answer };
