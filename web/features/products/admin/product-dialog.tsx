import { useQuery } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import { IMAGE_TOO_LARGE, MAX_IMAGE_BYTES, type PackageInput, type Product } from '../../../../shared/products.ts'
import { messageOf, RefusedError } from '../../../lib/http.ts'
import { noteOwnChange } from '../../../ui/admin/changed-rows.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Money } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { toast } from '../../../ui/toast.ts'
import { settingsQuery } from '../../settings/admin/settings-api.ts'
import { supplierName } from '../../supplier/admin/supplier-words.ts'
import { useProducts } from '../api.ts'
import { PackagesEditor, type Pasted } from './packages-editor.tsx'
import { useProductWrites } from './products-api.ts'
import {
  type DraftPackage,
  dearerForAgents,
  draftOf,
  isBlank,
  mergePackages,
  type PackageProblems,
  parsePackages,
  readDrafts,
} from './read-packages.ts'
import { shrinkImage } from './shrink-image.ts'

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']
const NO_PROBLEMS: ReadonlyMap<string, PackageProblems> = new Map()

/** Edits a product, or adds one. */
export function ProductDialog({ product, onClose }: { product: Product | null; onClose: () => void }) {
  const { save } = useProductWrites()
  const [network, setNetwork] = useState<Network | ''>(product?.network ?? '')
  const [image, setImage] = useState<string | null>(null)
  const [drafts, setDrafts] = useState<DraftPackage[]>(() => product?.packages.map(draftOf) ?? [])
  const [problems, setProblems] = useState(NO_PROBLEMS)
  const [pasted, setPasted] = useState<Pasted | null>(null)
  const [imageError, setImageError] = useState<string | null>(null)
  const [formError, setFormError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const formId = useId()
  const { data: settings } = useQuery(settingsQuery())
  const route = settings?.settings.routes[network as Network] ?? 'by-hand'

  const starting = useMemo(() => startOf(product), [product])
  const current = JSON.stringify({ network, lines: drafts.filter((draft) => !isBlank(draft)).map(withoutKey) })
  const hasPasted = pasted !== null && pasted.text.trim() !== ''
  const dirty = image !== null || hasPasted || current !== starting
  const elsewhere = useChangedElsewhere(product)
  const canSave = product !== null || (network !== '' && image !== null && (hasPasted || drafts.some((draft) => !isBlank(draft))))

  const leave = async () => {
    if (!dirty || (await confirmAction({ question: 'Leave without saving your changes?', title: 'Unsaved changes', danger: true })))
      onClose()
  }

  /** Includes pasted lines that were not added yet: they are saved or reported as unreadable, never dropped. */
  const takePasted = (): DraftPackage[] | null => {
    if (!hasPasted) return drafts
    const read = parsePackages(pasted.text)
    if (read.problems.length > 0) {
      setPasted({ ...pasted, problems: read.problems })
      toast.danger('Nothing was saved: some of the pasted lines cannot be read. Correct them, or discard them.')
      return null
    }
    const lines = mergePackages(drafts, read.packages)
    setDrafts(lines)
    setPasted(null)
    return lines
  }

  const send = async () => {
    if (sending.current || !canSave || network === '') return
    const lines = takePasted()
    if (!lines) return
    const read = readDrafts(lines)
    setProblems(read.problems)
    setFormError(null)
    if (read.problems.size > 0) {
      toast.danger([...read.problems.values()].flatMap((found) => Object.values(found))[0] ?? 'Check the packages.')
      return
    }
    sending.current = true
    if (!(await askAboutDearer(dearerForAgents(read.packages)))) {
      sending.current = false
      return
    }
    setBusy(true)
    if (product) noteOwnChange(product._id)
    try {
      await save(product?._id ?? null, {
        network,
        ...(image ? { image } : {}),
        packages: read.packages,
        status: product?.status ?? 'available',
      })
      toast.success(product ? 'Product updated successfully' : 'Product created successfully')
      onClose()
    } catch (error) {
      const message = `Error saving product: ${messageOf(error)}`
      setProblems(problemsFrom(error, lines, read.packages))
      setFormError(message)
      toast.danger(message)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={product ? 'Update Product' : 'Add New Product'}
      wide
      onClose={() => void leave()}
      footer={
        <>
          <Button type="submit" form={formId} block disabled={!canSave} busy={busy} busyLabel="Saving…">
            Save Changes
          </Button>
          <Button block variant="secondary" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
        className="flex flex-col gap-5"
      >
        {elsewhere && (
          <NoticeBox
            tone="pending"
            title={elsewhere === 'deleted' ? 'Somebody has deleted this product.' : 'Somebody has changed this product.'}
          >
            <p>
              {elsewhere === 'deleted'
                ? 'It can no longer be saved.'
                : 'Saving replaces their changes with yours. Cancel and open it again to see what they changed.'}
            </p>
          </NoticeBox>
        )}
        {formError && <NoticeBox tone="danger">{formError}</NoticeBox>}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <SelectField label="Network" value={network} onChange={(event) => setNetwork(event.currentTarget.value as Network)}>
            <option value="" disabled>
              Choose a network
            </option>
            {NETWORKS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
          <ImageField
            shown={image ?? product?.image ?? null}
            error={imageError}
            onImage={(uri) => {
              setImage(uri)
              setImageError(null)
            }}
            onError={setImageError}
          />
        </div>
        <PackagesEditor
          drafts={drafts}
          problems={problems}
          pasted={pasted}
          onPasted={setPasted}
          supplier={route === 'by-hand' ? null : supplierName(route)}
          onDrafts={(next) => {
            setDrafts(next)
            setProblems(NO_PROBLEMS)
          }}
        />
      </form>
    </Dialog>
  )
}

/** Asks whether agents are meant to pay more than customers for these; true at once when there are none. */
async function askAboutDearer(packages: readonly PackageInput[]): Promise<boolean> {
  if (packages.length === 0) return true
  return confirmAction({
    question: 'Agents would pay more than customers. Save these prices all the same?',
    title: 'Agent price above the customer price',
    danger: true,
    details: (
      <Details>
        {packages.map(({ offer, priceCustomer, priceAgent }) => (
          <Detail key={offer} name={offer}>
            Customer <Money cedis={priceCustomer} />, agent <Money cedis={priceAgent} />
          </Detail>
        ))}
      </Details>
    ),
  })
}

type ImageProps = { shown: string | null; error: string | null; onImage: (uri: string) => void; onError: (message: string) => void }

function ImageField({ shown, error, onImage, onError }: ImageProps) {
  const id = useId()
  const choice = useRef(0)
  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0]
    if (!file) return
    const latest = ++choice.current
    const refuse = (message: string) => {
      input.value = ''
      onError(message)
      toast.danger(message)
    }
    if (!IMAGE_TYPES.includes(file.type)) return refuse('Choose an image: PNG, JPEG, WebP, GIF or AVIF.')
    try {
      const small = file.size > MAX_IMAGE_BYTES ? await shrinkImage(file, MAX_IMAGE_BYTES) : file
      const uri = small && (await readAsDataUri(small))
      // Somebody who has chosen another one meanwhile wants that one.
      if (latest !== choice.current) return
      if (!uri) return refuse(IMAGE_TOO_LARGE)
      onImage(uri)
    } catch {
      if (latest === choice.current) onError('The image could not be read. Please choose another one.')
    }
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-body font-semibold">
        Image
      </label>
      <div className="flex items-center gap-3">
        {shown ? (
          <img
            src={shown}
            alt="The product, as the store will show it"
            className="size-16 shrink-0 rounded-box border border-line bg-sunken object-cover"
          />
        ) : (
          <span className="flex size-16 shrink-0 items-center justify-center rounded-box border border-dashed border-line-strong text-muted">
            <ImagePlus className="size-6" aria-hidden="true" />
          </span>
        )}
        <input
          id={id}
          type="file"
          accept={IMAGE_TYPES.join(',')}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => void choose(event.currentTarget)}
          className="min-h-12 min-w-0 flex-1 rounded-box py-0.5 text-small file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-box file:border file:border-solid file:border-line-strong file:bg-surface file:px-4 file:font-semibold file:text-ink hover:file:bg-sunken"
        />
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-small font-medium text-danger">
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="text-small text-muted">
        PNG, JPEG, WebP, GIF or AVIF. A picture over 100KB is made smaller for you.
      </p>
    </div>
  )
}

function readAsDataUri(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })
}

/** What another admin did to the product since its form was opened. */
function useChangedElsewhere(product: Product | null): 'changed' | 'deleted' | null {
  const { data } = useProducts()
  if (!product || !data) return null
  const now = data.find((one) => one._id === product._id)
  if (!now) return 'deleted'
  return startOf(now) === startOf(product) && now.image === product.image ? null : 'changed'
}

/** What the server says about the lines that were sent, beside those lines. */
function problemsFrom(
  error: unknown,
  drafts: readonly DraftPackage[],
  sent: readonly PackageInput[],
): ReadonlyMap<string, PackageProblems> {
  if (!(error instanceof RefusedError)) return NO_PROBLEMS
  const lines = drafts.filter((draft) => !isBlank(draft)).slice(0, sent.length)
  const found = new Map<string, PackageProblems>()
  for (const { path, message } of error.issues) {
    const [, index, name] = /^packages\.(\d+)\.(offer|priceCustomer|priceAgent)$/.exec(path) ?? []
    const line = lines[Number(index)]
    if (line && name) found.set(line.key, { ...found.get(line.key), [name]: message })
  }
  return found
}

function startOf(product: Product | null): string {
  return JSON.stringify({ network: product?.network ?? '', lines: product?.packages.map(draftOf).map(withoutKey) ?? [] })
}

function withoutKey({ offer, priceCustomer, priceAgent }: DraftPackage) {
  return { offer, priceCustomer, priceAgent }
}
