import { Taken } from '../../platform/errors.ts'
import { atAGlance } from '../users/fold-username.ts'

/** What a name may have beside the house's and would still seem to be the house. */
const BESIDE =
  /\b(?:the|official|support|help|helpdesk|customer|care|services?|admin|staff|ghana|gh|shop|store|data|online|main|head|office|hq|com|net|org|app|\d+)\b/g

const MESSAGES = {
  name: 'That name could be mistaken for our own shop. Please choose another.',
  slug: 'That link is not free. Please choose another.',
}

/**
 * Refuses a name or link of an agent's shop that guests could take for the house itself: "Dwadi Official", "dwad1-gh". A name that only has the
 * house's among others, "Akosua at Dwadi", is fine.
 * @throws Taken
 */
export function refuseOurName(field: keyof typeof MESSAGES, wanted: string, house: string): void {
  if (seemsOurs(wanted, house)) throw new Taken(field, MESSAGES[field])
}

/** Whether guests could take a name or link for the house itself. Shops that were opened before a rule may have such a one. */
export function seemsOurs(wanted: string, house: string): boolean {
  return core(wanted) === core(house) || whole(wanted) === whole(house)
}

/** Without the words beside, unless nothing else is there. */
function core(name: string): string {
  const words = plain(name)
  return atAGlance(words.replace(BESIDE, ' ')) || atAGlance(words)
}

function whole(name: string): string {
  return atAGlance(plain(name))
}

/** Full-width and other presentations of letters become the plain ones. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\d]+/gu, ' ')
    .trim()
}
