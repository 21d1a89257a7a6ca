import { Button } from './button.tsx'
import type { PendingQuestion } from './confirm-action.ts'
import { Dialog } from './dialog.tsx'

/** Asks one question of `confirmAction`. */
export default function ConfirmDialog({
  question,
  title = 'Please confirm',
  details,
  yes = 'Yes',
  no = 'No',
  danger,
  answer,
}: PendingQuestion) {
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button block variant={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {yes}
          </Button>
          <Button block variant="secondary" onClick={() => answer(false)}>
            {no}
          </Button>
        </>
      }
    >
      <p className="text-large">{question}</p>
      {details && <div className="mt-4">{details}</div>}
    </Dialog>
  )
}
