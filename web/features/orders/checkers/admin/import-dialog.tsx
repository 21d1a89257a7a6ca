import { useState } from 'react'
import type { CheckerKind } from '../../../../../shared/checkers.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import type { CheckerSource } from '../../../../../shared/readers/read-checkers.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { parseFields, useForm } from '../../../../lib/use-form.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, SelectField, TextareaField } from '../../../../ui/field.tsx'
import { FileButton } from '../../../../ui/file-button.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { refreshStock, stockQuery } from './api.ts'
import { type Checked, CheckerReview } from './checker-review.tsx'
import { readCheckerFile } from './read-checker-file.ts'

const FORM = 'import-checkers'

/** Reads a distributor's file or pasted lines, shows what of them is good, and puts that into the stock. */
export default function ImportDialog({ kinds, kind, onClose }: { kinds: readonly CheckerKind[]; kind: string; onClose: () => void }) {
  const [source, setSource] = useState<{ name: string; read: CheckerSource } | null>(null)
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<Checked | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const good = checked?.lines.filter(({ state }) => state === 'good') ?? []
  const form = useForm({
    initial: { kind, distributor: '', unitCost: '' },
    parse: ({ kind: of, distributor, unitCost }) => {
      const cost = pesewasIn(unitCost)
      const problems = {
        kind: of === '' ? 'Choose what they are codes of.' : null,
        distributor: distributor.trim().length < 2 ? 'Name the distributor.' : null,
        unitCost: cost === null || cost <= 0 ? 'Enter what one code cost.' : null,
      }
      return parseFields(problems, () => {
        return {
          kind: of,
          distributor,
          unitCost: (cost ?? 0) / 100,
          fileName: source?.name ?? '',
          lines: good.map(({ serial, pin }) => ({ serial, pin })),
          asWritten: checked?.asWritten ?? false,
        }
      })
    },
    confirm: ({ kind: of, unitCost, lines: sent }) =>
      confirmAction({
        about: aboutReply(stockQuery, ({ imports }) => imports.map(({ _id }) => _id)),
        question: `Put ${counted(sent.length, `${kinds.find((one) => one.kind === of)?.name ?? ''} code`)} into the stock?`,
        title: 'Import',
        details: `They cost ${moneyText(Math.round(unitCost * sent.length * 100) / 100)}, which the books take as paid by you.`,
      }),
    submit: async (body) => {
      const { number, codes } = await call('POST /admin/checkers/imports', { body })
      checked?.remember()
      toast.success(`Import ${number}: ${counted(codes, 'code')} in stock`)
      refreshStock()
      onClose()
    },
  })

  const check = async (file: File, name: string) => {
    setBusy(true)
    setProblem(null)
    setChecked(null)
    setSource(null)
    try {
      setSource({ name: name.slice(0, 120), read: await readCheckerFile(file) })
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  const startOver = () => {
    setSource(null)
    setChecked(null)
    setText('')
  }

  return (
    <Dialog
      wide={source !== null}
      title="Import checkers"
      onClose={onClose}
      yes={{
        type: 'submit',
        form: FORM,
        disabled: good.length === 0 || busy,
        busy: form.busy,
        busyLabel: 'Importing…',
        children: good.length === 0 ? 'Import' : `Import ${counted(good.length, 'code')}`,
      }}
    >
      <form id={FORM} {...form.props} className="flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <SelectField label="Kind" {...form.field('kind')}>
          {kind === '' && <option value="">Choose</option>}
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.name}
            </option>
          ))}
        </SelectField>
        <Field label="Distributor" placeholder="Who sold them to you" maxLength={60} {...form.field('distributor')} />
        <MoneyField
          label="What one code cost you"
          value={form.values.unitCost}
          onValue={(value) => form.setValue('unitCost', value)}
          error={form.errors.unitCost}
        />
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        {form.values.kind === '' ? (
          <p className="text-body text-muted">Then choose a file, or paste the lines.</p>
        ) : source === null ? (
          <>
            <FileButton
              block
              busy={busy}
              label="File of checkers"
              accept=".csv,.tsv,.txt,.xlsx,.xlsm,.json,.bin"
              onFile={(file) => check(file, file.name)}
            >
              Choose a file
            </FileButton>
            <TextareaField
              label="Or paste lines"
              hint="A serial and a PIN on each line. In Excel keep both columns as text: it destroys long numbers."
              rows={4}
              value={text}
              spellCheck={false}
              autoComplete="off"
              placeholder="Serial, PIN"
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {text.trim() !== '' && (
              <Button variant="secondary" block busy={busy} onClick={() => void check(new File([text], 'pasted.txt'), '')}>
                Check these lines
              </Button>
            )}
          </>
        ) : (
          <>
            <CheckerReview
              key={source.name}
              source={source.read}
              kind={form.values.kind}
              unitCost={form.values.unitCost}
              onChecked={setChecked}
              onProblem={setProblem}
            />
            <Button variant="secondary" block onClick={startOver}>
              Start over
            </Button>
          </>
        )}
      </form>
    </Dialog>
  )
}
