import * as z from 'zod/mini'

// The content security policy allows no eval, which zod would otherwise try.
z.config({ jitless: true })
