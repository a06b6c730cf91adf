import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { withLineBreaks } from './multipart-body.ts'

type Element = DefaultTreeAdapterMap['element']
type Node = DefaultTreeAdapterMap['node']

/** What a field of a form holds: a string, a file, or several of them. */
export type FormFieldValue = string | File | readonly (string | File)[]

/** A page that the client has received. */
export interface ReceivedPage {
  readonly url: URL
  readonly status: number
  readonly html: string
}

/** A request that a form makes. */
export interface FormRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly form: FormData
  readonly isMultipart: boolean
}

// An element of a form that may be submitted, with what it sends as the page shows it.
interface Control {
  readonly name: string
  readonly values: readonly (string | File)[]
  readonly element: Element
  readonly isButton: boolean
}

const NO_BUTTONS: ReadonlySet<string> = new Set(['button', 'reset'])
const NOT_PRESET: ReadonlySet<string> = new Set(['checkbox', 'radio'])

/**
 * Fills a form of a page and submits it as a browser does that presses its button: the one that is named in the fields, else
 * the first.
 *
 * @param page The page.
 * @param fields What is filled in, by name; other fields keep what the page has.
 * @param wanted The `id`, `name` or `action` of the form; undefined for the only one.
 * @returns The request.
 * @throws {Error} If the form is not found or is not alone, has no such field, or cannot be submitted.
 * @see HTML standard, form submission algorithm
 */
export function requestOfForm(
  page: ReceivedPage,
  fields: Readonly<Record<string, FormFieldValue>>,
  wanted: string | undefined,
): FormRequest {
  const elements = elementsOf(parse(page.html))
  const form = chosenForm(elements, page, wanted)
  const controls = elements.flatMap((element) => controlOf(element, form, elements))
  assertFields(fields, controls, page)
  const button = pressedButton(controls, fields)
  const attribute = (name: string): string =>
    (button && attributeOf(button.element, `form${name}`)) ?? attributeOf(form, name) ?? ''
  const method = attribute('method').toLowerCase()
  if (method === 'dialog')
    throw new Error(`Cannot submit a form of ${pathOf(page.url)}: its method is dialog`)
  const action = attribute('action').trim()
  const url = action === '' ? new URL(page.url) : URL.parse(action, page.url.href)
  if (url === null || url.origin !== page.url.origin)
    throw new Error(`Cannot submit a form of ${pathOf(page.url)}: it leads to ${JSON.stringify(action)}`)
  url.hash = ''
  return {
    method: method === 'post' ? 'POST' : 'GET',
    url,
    form: filled(controls, fields, button),
    isMultipart: attribute('enctype').toLowerCase() === 'multipart/form-data',
  }
}

/**
 * @param form The fields of a form.
 * @returns The fields as a query or an urlencoded body, where a file is its name.
 */
export function urlencoded(form: FormData): string {
  const pairs = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])
  return new URLSearchParams(
    pairs.map((pair): [string, string] => [withLineBreaks(pair[0] ?? ''), withLineBreaks(pair[1] ?? '')]),
  ).toString()
}

function elementsOf(node: Node): Element[] {
  const own = 'tagName' in node ? [node] : []
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(elementsOf)] : own
}

function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value
}

function textOf(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

function pathOf(url: URL): string {
  return JSON.stringify(url.pathname + url.search)
}

function chosenForm(elements: readonly Element[], { url, status }: ReceivedPage, wanted?: string): Element {
  const forms = elements.filter(({ tagName }) => tagName === 'form')
  const names = forms.map((form) => namesOf(form)[0] ?? 'a form without an id and an action').join(', ')
  const found = forms.filter((form) => wanted === undefined || namesOf(form).includes(wanted))
  const [form] = found
  if (form !== undefined && found.length === 1) return form
  const page = `${pathOf(url)}, which responded with ${status},`
  if (forms.length === 0) throw new Error(`Cannot submit a form: the page ${page} has none`)
  if (wanted !== undefined)
    throw new Error(
      `Cannot submit the form ${JSON.stringify(wanted)}: the page ${page} has ${found.length} of them among ${names}`,
    )
  throw new Error(
    `Cannot submit a form: the page ${page} has several: ${names}. Choose one with { form }, by its id, name or action`,
  )
}

function namesOf(form: Element): string[] {
  return ['id', 'name', 'action'].flatMap((name) => attributeOf(form, name) || [])
}

function controlOf(element: Element, form: Element, elements: readonly Element[]): Control[] {
  const name = attributeOf(element, 'name') ?? ''
  const isButton = isSubmitButton(element)
  if (isDisabled(element) || ownerOf(element, elements) !== form) return []
  if (isButton) return [{ name, values: [attributeOf(element, 'value') ?? ''], element, isButton }]
  const values = valuesOf(element)
  return name === '' || values === null ? [] : [{ name, values, element, isButton }]
}

function isSubmitButton(element: Element): boolean {
  const type = attributeOf(element, 'type')?.toLowerCase()
  if (element.tagName === 'button') return !NO_BUTTONS.has(type ?? '')
  return element.tagName === 'input' && (type === 'submit' || type === 'image')
}

function ownerOf(element: Element, elements: readonly Element[]): Element | undefined {
  const id = attributeOf(element, 'form')
  if (id !== undefined) return elements.find((each) => attributeOf(each, 'id') === id)
  return ancestorsOf(element).find(({ tagName }) => tagName === 'form')
}

function isDisabled(element: Element): boolean {
  const sets = ancestorsOf(element).filter(({ tagName }) => tagName === 'fieldset')
  return [element, ...sets].some((each) => attributeOf(each, 'disabled') !== undefined)
}

function ancestorsOf({ parentNode }: Element): Element[] {
  return parentNode !== null && 'tagName' in parentNode ? [parentNode, ...ancestorsOf(parentNode)] : []
}

// Null for what is not submitted at all.
function valuesOf(element: Element): readonly (string | File)[] | null {
  if (element.tagName === 'textarea') return [textOf(element)]
  if (element.tagName === 'select') return selected(element)
  if (element.tagName !== 'input') return null
  const type = attributeOf(element, 'type')?.toLowerCase() ?? 'text'
  if (NO_BUTTONS.has(type)) return null
  if (type === 'file') return [new File([], '')]
  const value = attributeOf(element, 'value')
  if (!NOT_PRESET.has(type)) return [value ?? '']
  return attributeOf(element, 'checked') === undefined ? [] : [value ?? 'on']
}

function selected(select: Element): string[] {
  const options = elementsOf(select).filter(({ tagName }) => tagName === 'option')
  const enabled = options.filter((option) => attributeOf(option, 'disabled') === undefined)
  const marked = options.filter((option) => attributeOf(option, 'selected') !== undefined)
  if (attributeOf(select, 'multiple') !== undefined)
    return marked.filter((option) => enabled.includes(option)).map(optionValue)
  const shown = marked.at(-1) ?? enabled[0]
  return shown !== undefined && enabled.includes(shown) ? [optionValue(shown)] : []
}

function optionValue(option: Element): string {
  return attributeOf(option, 'value') ?? textOf(option).trim().replaceAll(/\s+/g, ' ')
}

function assertFields(fields: object, controls: readonly Control[], { url }: ReceivedPage): void {
  const names = new Set(controls.map(({ name }) => name).filter((name) => name !== ''))
  const missing = Object.keys(fields).find((name) => !names.has(name))
  if (missing === undefined) return
  const listed = names.size === 0 ? 'no fields' : [...names].join(', ')
  throw new Error(`Cannot fill in ${JSON.stringify(missing)}: the form of ${pathOf(url)} has ${listed}`)
}

function pressedButton(
  controls: readonly Control[],
  fields: Readonly<Record<string, FormFieldValue>>,
): Control | undefined {
  const buttons = controls.filter(({ isButton }) => isButton)
  const isNamed = ({ name, values }: Control): boolean =>
    Object.hasOwn(fields, name) && fields[name] === values[0]
  return buttons.find(isNamed) ?? buttons.find(({ name }) => Object.hasOwn(fields, name)) ?? buttons[0]
}

function filled(
  controls: readonly Control[],
  fields: Readonly<Record<string, FormFieldValue>>,
  button: Control | undefined,
): FormData {
  const form = new FormData()
  const done = new Set<string>()
  for (const control of controls) {
    const { name, values, isButton } = control
    if (name === '' || done.has(name) || (isButton && control !== button)) continue
    const given = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (given !== undefined) done.add(name)
    for (const value of given === undefined ? values : [given].flat()) form.append(name, value)
  }
  return form
}
