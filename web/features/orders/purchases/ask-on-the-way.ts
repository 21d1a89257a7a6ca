import { spacedPhone } from '../../../../shared/phones.ts'
import { RefusedError } from '../../../lib/http.ts'
import type { Subject } from '../../../lib/subject.ts'
import { onTheWayTexts } from '../../../texts/on-the-way.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { toast } from '../../../ui/toast.ts'

/** Asks whether to buy what is on its way already. @throws RefusedError without a message when the buyer would rather not, who is told here. */
export async function askOnTheWay({ message, issues }: RefusedError, about?: Subject): Promise<void> {
  const yes = await confirmAction({
    title: onTheWayTexts.title(issues.length),
    question: onTheWayTexts.question(message.replace(/\b0\d{9}\b/, spacedPhone)),
    cautious: true,
    yes: onTheWayTexts.buyAgain,
    no: onTheWayTexts.wait,
    ...(about && { about }),
  })
  if (yes) return
  toast.info(onTheWayTexts.notBought)
  throw new RefusedError(409, { code: 'ON_THE_WAY', message: '' })
}
