import { Button } from '../../../ui/button.tsx'

type Props = { danger: boolean; disabled: boolean; onYes: () => void; onNo: () => void }

export function DecisionButtons({ danger, disabled, onYes, onNo }: Props) {
  return (
    <>
      <Button block variant={danger ? 'danger' : 'primary'} disabled={disabled} onClick={onYes}>
        Yes
      </Button>
      <Button block variant="secondary" onClick={onNo}>
        No
      </Button>
    </>
  )
}
