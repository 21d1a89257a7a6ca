import { createRoot } from 'react-dom/client'
import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { call } from '../../../lib/api.ts'
import { wipeAtSignOut } from '../../../lib/session.ts'
import { afaTexts as texts } from '../../../texts/afa.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { AfaForm } from './afa-form.tsx'

let giveUp: () => void = () => undefined
wipeAtSignOut(() => giveUp())

/** `slug`: of the agent's shop where a guest buys. `next`: what comes once the details are there. */
type Asked = { receiver: string; slug?: string; next: 'pay' | 'cart' }

/** Asks, before AFA is paid for, whom it registers; what a purchase names the details by, or null when the buyer would rather not. */
export async function askAfa(asked: Asked): Promise<string | null> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  try {
    return await new Promise((answer) => {
      giveUp = () => answer(null)
      root.render(<AfaSheet {...asked} onAnswer={answer} />)
    })
  } finally {
    root.unmount()
    place.remove()
  }
}

function AfaSheet({ receiver, slug, next, onAnswer }: Asked & { onAnswer: (form: string | null) => void }) {
  const send = async (body: AfaDetails & { consent: true }) => {
    const { form } =
      slug === undefined
        ? await call('POST /afa', { body })
        : await call('POST /shops/:slug/afa', { params: { slug }, body, withToken: false })
    onAnswer(form)
  }
  return (
    <Dialog title={texts.title} onClose={() => onAnswer(null)} unsaved={false}>
      <AfaForm
        ask={texts.askBefore[next]}
        keepDays={null}
        receiver={receiver}
        button={texts.goOn[next]}
        onSend={send}
        onCancel={() => onAnswer(null)}
      />
    </Dialog>
  )
}
