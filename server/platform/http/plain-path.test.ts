import { expect, test } from 'vitest'
import { plainPath } from './plain-path.ts'

test.each([
  ['/api/product?page=1', '/api/product?page=1'],
  ['/%61pi/%70roduct?a=%61', '/api/product?a=%61'],
  ['/%41%7E%5f%2D%2e', '/A~_-.'],
  ['http://shop.example/api/product', '/api/product'],
  ['HTTPS://shop.example:3000?x=/api/', '/?x=/api/'],
  ['/a%2Fb%20c%3f%', '/a%2Fb%20c%3f%'],
  ['/%2561pi', '/%2561pi'],
])('%s is read as %s', (written, plain) => {
  expect(plainPath(written)).toBe(plain)
  expect(plainPath(plain)).toBe(plain)
})
