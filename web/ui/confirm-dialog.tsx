import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import type { PendingQuestion } from './confirm-action.ts'
import { Dialog } from './dialog.tsx'

/** Asks one question of `confirmAction`. */
export default function ConfirmDialog({
  question,
  title = uiTexts.pleaseConfirm,
  details,
  yes = uiTexts.yes,
  no = uiTexts.no,
  danger,
  cautious,
  answer,
}: PendingQuestion) {
  const agree = (
    <Button key="yes" block variant={cautious ? 'secondary' : danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
      {yes}
    </Button>
  )
  const refuse = (
    <Button key="no" block variant={cautious ? 'primary' : 'secondary'} onClick={() => answer(false)}>
      {no}
    </Button>
  )
  return (
    <Dialog role="alertdialog" title={title} onClose={() => answer(false)} footer={cautious ? [refuse, agree] : [agree, refuse]}>
      <p className="text-large">{question}</p>
      {details && <div className="mt-4">{details}</div>}
    </Dialog>
  )
}
