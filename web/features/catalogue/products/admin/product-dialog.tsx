import { useQuery } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { MAX_IMAGE_BYTES } from '../../../../../shared/images.ts'
import { NETWORKS, type Network } from '../../../../../shared/networks.ts'
import { IMAGE_TOO_LARGE, type Product } from '../../../../../shared/products.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { fitImage, IMAGE_TYPES } from '../../../../lib/fit-image.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { noteOwnChange } from '../../../../ui/admin/changed-rows.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { settingsQuery } from '../../../shop/settings/admin/api.ts'
import { useProducts } from '../api.ts'
import { packageCostsQuery, useProductWrites } from './api.ts'
import { PackagesEditor, type Pasted } from './packages-editor.tsx'
import {
  concernsAbout,
  type DraftPackage,
  draftOf,
  isBlank,
  mergePackages,
  type PackageProblems,
  type PriceConcern,
  parsePackages,
  readPackages,
} from './read-packages.ts'

type Props = { product: Product | null; hidden: readonly string[]; onClose: () => void }

/** Edits a product, or adds one. `hidden` packages stay as they are. */
export function ProductDialog({ product, hidden, onClose }: Props) {
  const { save } = useProductWrites()
  const [imageError, setImageError] = useState<string | null>(null)
  const formId = useId()
  const costs = useCosts(product)
  const form = useForm({
    initial: {
      network: (product?.network ?? '') as Network | '',
      image: null as string | null,
      packages: product?.packages.map(draftOf) ?? [],
      pasted: null as Pasted | null,
    },
    parse: ({ network, image, packages }) => {
      const read = readPackages(packages)
      if (network === '' || read.problems.size > 0) return { errors: errorsOf(read.problems) }
      return { output: { network, ...(image ? { image } : {}), packages: read.packages, status: product?.status ?? 'available' } }
    },
    confirm: ({ packages }) => askAbout(concernsAbout(product?.packages ?? [], packages, costs)),
    submit: async (saved) => {
      if (product) noteOwnChange(product._id)
      const { waits } = await save(product?._id ?? null, saved)
      if (waits) toast.success('Saved. New packages are on sale once an owner agrees to their prices.')
      else toast.success(product ? 'Product updated successfully' : 'Product created successfully')
      onClose()
    },
    fieldAt: lineAt,
    onInvalid: (errors) => toast.danger(Object.values(errors)[0] ?? 'Check the packages.'),
    onRefused: (reason) => {
      const message = `Error saving product: ${reason}`
      form.setFormError(message)
      toast.danger(message)
    },
  })
  const { network, image, packages, pasted } = form.values
  const { data: settings } = useQuery(settingsQuery())
  const route = settings?.settings.routes[network as Network] ?? 'by-hand'

  const starting = useMemo(() => startOf(product), [product])
  const current = JSON.stringify({ network, lines: packages.filter((draft) => !isBlank(draft)).map(withoutKey) })
  const hasPasted = pasted !== null && pasted.text.trim() !== ''
  const dirty = image !== null || hasPasted || current !== starting
  const elsewhere = useChangedElsewhere(product)
  const canSave = product !== null || (network !== '' && image !== null && (hasPasted || packages.some((draft) => !isBlank(draft))))

  /** Includes pasted lines that were not added yet: they are saved or reported as unreadable, never dropped. */
  const sendWithPasted = () => {
    if (!canSave) return
    if (!hasPasted) return void form.send()
    const read = parsePackages(pasted.text)
    if (read.problems.length === 0) {
      return void form.send({ ...form.values, packages: mergePackages(packages, read.packages), pasted: null })
    }
    form.setValue('pasted', { ...pasted, problems: read.problems })
    toast.danger('Nothing was saved: we can’t read some of the pasted lines. Correct or discard them.')
  }

  return (
    <Dialog
      title={product ? 'Update Product' : 'Add New Product'}
      wide
      onClose={onClose}
      unsaved={dirty}
      yes={{ type: 'submit', form: formId, disabled: !canSave, busy: form.busy, busyLabel: 'Saving…', children: 'Save Changes' }}
    >
      <form
        id={formId}
        {...form.props}
        onSubmit={(event) => {
          event.preventDefault()
          sendWithPasted()
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
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <SelectField label="Network" {...form.field('network')}>
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
            error={imageError ?? form.errors.image ?? null}
            onImage={(uri) => {
              form.setValue('image', uri)
              setImageError(null)
            }}
            onError={setImageError}
          />
        </div>
        <PackagesEditor
          drafts={packages}
          errors={form.errors}
          pasted={pasted}
          onPasted={(next) => form.setValue('pasted', next)}
          supplier={route === 'by-hand' ? null : supplierName(route)}
          network={network}
          onDrafts={(next) => form.setValue('packages', next)}
        />
        {hidden.length > 0 && (
          <p className="text-small text-muted">Hidden, and staying so: {hidden.join(', ')}. Show them again on the Prices grid.</p>
        )}
      </form>
    </Dialog>
  )
}

/** Asks whether these prices are meant; true at once when there are none. */
async function askAbout(concerns: readonly PriceConcern[]): Promise<boolean> {
  if (concerns.length === 0) return true
  return confirmAction({
    question: 'Are these prices right? Save them anyway?',
    title: 'Prices that are seldom meant',
    danger: true,
    details: (
      <Details>
        {concerns.map(({ offer, text }) => (
          <Detail key={`${offer} ${text}`} name={offer}>
            {text}
          </Detail>
        ))}
      </Details>
    ),
  })
}

/** What each package costs at least, in cedis, for whoever may see it: at a supplier or by hand. */
function useCosts(product: Product | null): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...packageCostsQuery, enabled: product !== null })
  const costs = new Map<string, number>()
  for (const { productId, offer, cost } of data?.costs ?? [])
    if (productId === product?._id && cost !== null) costs.set(offer, Math.min(cost, costs.get(offer) ?? cost))
  return costs
}

type ImageProps = { shown: string | null; error: string | null; onImage: (uri: string) => void; onError: (message: string) => void }

function ImageField({ shown, error, onImage, onError }: ImageProps) {
  const id = useId()
  const choice = useRef(0)
  const [shrunk, setShrunk] = useState<string | null>(null)
  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0]
    if (!file) return
    const latest = ++choice.current
    setShrunk(null)
    const refuse = (message: string) => {
      input.value = ''
      onError(message)
      toast.danger(message)
    }
    if (!IMAGE_TYPES.includes(file.type)) return refuse('Choose an image: PNG, JPEG, WebP, GIF or AVIF.')
    try {
      const fitted = await fitImage(file, MAX_IMAGE_BYTES)
      // If another file was chosen meanwhile, that one counts.
      if (latest !== choice.current) return
      if (!fitted) return refuse(IMAGE_TOO_LARGE)
      onImage(fitted.uri)
      setShrunk(fitted.news)
    } catch {
      if (latest === choice.current) onError('We couldn’t read that image. Please choose another one.')
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
      {shrunk && !error && (
        <p role="status" className="text-small font-medium">
          {shrunk}
        </p>
      )}
      <p id={`${id}-hint`} className="text-small text-muted">
        PNG, JPEG, WebP, GIF or AVIF. We shrink pictures over 100KB for you.
      </p>
    </div>
  )
}

/** What another admin did to the product since its form was opened. */
function useChangedElsewhere(product: Product | null): 'changed' | 'deleted' | null {
  const { data } = useProducts()
  if (!product || !data) return null
  const now = data.find((one) => one._id === product._id)
  if (!now) return 'deleted'
  return startOf(now) === startOf(product) && now.image === product.image ? null : 'changed'
}

/** The line that an error of the server is about, blank lines not being sent. */
function lineAt(path: string, { packages }: { packages: readonly DraftPackage[] }): string {
  const [, index, field] = /^packages\.(\d+)\.(\w+)$/.exec(path) ?? []
  const line = packages.filter((draft) => !isBlank(draft))[Number(index)]
  return line && field ? `packages.${line.key}.${field}` : path
}

function errorsOf(problems: ReadonlyMap<string, PackageProblems>): Record<`packages.${string}`, string> {
  const named = [...problems].flatMap(([key, found]) => Object.entries(found).map(([field, text]) => [`packages.${key}.${field}`, text]))
  return Object.fromEntries(named)
}

function startOf(product: Product | null): string {
  return JSON.stringify({ network: product?.network ?? '', lines: product?.packages.map(draftOf).map(withoutKey) ?? [] })
}

function withoutKey({ offer, priceCustomer, priceAgent }: DraftPackage) {
  return { offer, priceCustomer, priceAgent }
}
