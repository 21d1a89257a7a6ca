import { registerHooks } from 'node:module'

// Loaded with --import before a process of the shop, in that process only: webhooks may go to this machine, where the experiment receives them.

const MODULE = '/server/integrations/webhooks/public-address.ts'

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(MODULE)) return next(url, context)
    const source = 'export const isPublicAddress = () => true\nexport const webhookUrlProblem = () => null\n'
    return { format: 'module', source, shortCircuit: true }
  },
})
