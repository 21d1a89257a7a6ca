// breaks: no-dev-package
import type { Arbitrary } from 'fast-check'
export type Any = Arbitrary<string>
