// breaks: no-dev-package
import * as fc from 'fast-check'
export const any = fc
