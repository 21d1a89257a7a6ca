import type * as TakeStepModule from '../../server/features/channels/conversations/take-step.ts'
import { type Guard, guard, inModule } from './guard.ts'

/** U. Buying by USSD. */
export const ussdGuards: Guard[] = [
  guard('U1', 2, 'that a purchase keeps its name in whichever session it goes on', {
    replaced: [
      inModule<typeof TakeStepModule>('../../server/features/channels/conversations/take-step.ts').wrap(
        'clientIdOf',
        (_clientIdOf, channel) => `${channel}-${crypto.randomUUID()}`,
      ),
    ],
  }),
]
