import { decamelize, sentence, shown } from '../../core/internal.ts'
import type { StandardSchema } from '../../input/index.ts'
import type { ControllerClass } from './controller-class.ts'
import type { FormParameter, UploadPlan } from './form-parameter.ts'
import type { InputParameter } from './input-parameter.ts'
import { type ActionParameter, parameterFault, UrlParameter } from './parameter.ts'
import { ParameterType } from './parameter-type.ts'
import { RoutingException } from '../routing-exception.ts'

const VERB = /^(.+)(Get|Post|Put|Patch|Delete|Head|Options)$/
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+$/u
const ROLES: ReadonlySet<unknown> = new Set(['required', 'optional', 'rest'])

/** The method that makes a controller invokable. */
export const INVOKE = '__invoke'

/** A method that its controller's action table names, with the parameters it takes. */
export class Action {
  /** The controller. */
  readonly controller: ControllerClass
  /** Name of the method as declared: `addPost`. */
  readonly method: string
  /** The HTTP method that its name ends with, or null for a bare name, which answers GET and HEAD. */
  readonly verb: string | null
  /** The name in a conventional URL, without the verb: `typed-int`. */
  readonly segment: string
  /** The parameters filled from the URL, in order. */
  readonly parameters: readonly UrlParameter[]
  /** What judges query and body, when the action takes them. */
  readonly schema: StandardSchema | null
  /** Media types of the bodies that it reads; null: all that can be read. */
  readonly bodyTypes: readonly string[] | null
  /** The parameter that takes a form, valid or not; null when there is none. */
  readonly form: FormParameter | null
  /** How the files of its form are read; null when it takes none. */
  readonly upload: UploadPlan | null
  /** How many segments it takes at least. */
  readonly required: number
  /** How many segments it takes at most. */
  readonly maximum: number

  /** @throws {RoutingException} `invalid-parameter` if the signature is not what an action may have. */
  constructor(controller: ControllerClass, method: string, signature: readonly ActionParameter[]) {
    const [, base, suffix] = VERB.exec(method) ?? []
    this.controller = controller
    this.method = method
    this.verb = suffix?.toUpperCase() ?? null
    this.segment = decamelize(base ?? method)
    const last = signature.at(-1)
    const takesForm = isForm(last)
    const takesInput = takesForm || isInput(last)
    if (takesInput && !isStandardSchema(last.schema)) {
      throw this.#refuse(
        sentence`${last.role}() received ${shown(last.schema)}; it requires a Standard Schema: an object with "~standard", made by a schema library`,
      )
    }
    this.schema = takesInput ? last.schema : null
    this.bodyTypes = isInput(last) ? last.types : null
    this.form = takesForm ? last : null
    this.upload = takesForm ? last.upload : null
    this.parameters = Object.freeze(this.#check(takesInput ? signature.slice(0, -1) : signature))
    this.required = this.parameters.filter((parameter) => parameter.role === 'required').length
    this.maximum = this.parameters.at(-1)?.role === 'rest' ? Infinity : this.parameters.length
    Object.freeze(this)
  }

  /** `CartController::add`, as messages name it. */
  get label(): string {
    return `${this.controller.name}::${this.method}`
  }

  /** The parameter that fills a placeholder; undefined where there is none of that name. */
  parameter(name: string): UrlParameter | undefined {
    return this.parameters.find((parameter) => parameter.name === name)
  }

  /**
   * The arguments that segments are, or undefined when their number or type does not fit.
   *
   * @throws {RoutingException} `invalid-parameter` if the type of a parameter gives a promise.
   */
  read(segments: readonly string[]): unknown[] | undefined {
    if (segments.length < this.required || segments.length > this.maximum) return undefined
    const args: unknown[] = segments.slice()
    let parameter: UrlParameter | undefined
    try {
      for (const [index, segment] of segments.entries()) {
        parameter = this.parameters[index] ?? this.parameters.at(-1)
        const value = parameter?.parse(segment)
        if (value === undefined) return undefined
        args[index] = value
      }
    } catch (error) {
      throw parameterFault(parameter, this.label, error)
    }
    return this.padded(args)
  }

  /** The same list, filled up: input follows the parameters in the call, so missing optional ones keep their place. */
  padded(args: unknown[]): unknown[] {
    if (this.schema !== null) while (args.length < this.parameters.length) args.push(undefined)
    return args
  }

  #check(signature: readonly ActionParameter[]): readonly UrlParameter[] {
    const parameters: UrlParameter[] = []
    for (const [index, parameter] of signature.entries()) {
      if (isInput(parameter) || isForm(parameter))
        throw this.#refuse(
          sentence`${parameter.role}() must be the last parameter, and there can be only one`,
        )
      if (!(parameter instanceof UrlParameter)) {
        throw this.#refuse(
          sentence`parameter ${index + 1} is ${shown(parameter)}; use param.…(), input() or form()`,
        )
      }
      if (!(parameter.type instanceof ParameterType) || !ROLES.has(parameter.role)) {
        throw this.#refuse(sentence`parameter ${index + 1} has no type; create it with param.…()`)
      }
      if (parameter.role === 'rest' && (index < signature.length - 1 || this.schema !== null)) {
        throw this.#refuse(sentence`param.rest() must be the last parameter`)
      }
      if (parameter.role === 'required' && parameters.at(-1)?.role === 'optional') {
        throw this.#refuse(sentence`the required parameter "${parameter.name}" follows an optional one`)
      }
      if (typeof parameter.name !== 'string' || !NAME.test(parameter.name)) {
        const mend = sentence`it must be a non-empty string without control characters`
        throw this.#refuse(sentence`parameter ${index + 1} has the name ${shown(parameter.name)}; ${mend}`)
      }
      if (parameters.some(({ name }) => name === parameter.name))
        throw this.#refuse(sentence`two parameters are named "${parameter.name}"`)
      parameters.push(parameter)
    }
    return parameters
  }

  #refuse(reason: string): RoutingException {
    return new RoutingException(
      'invalid-parameter',
      sentence`Cannot use the signature of ${this.label}: ${reason}`,
    )
  }
}

// Not by their classes: an application without forms or input is bundled without the code for them.
function isForm(parameter: unknown): parameter is FormParameter {
  return hasRole(parameter, 'form') && typeof Reflect.get(parameter, 'submit') === 'function'
}

function isInput(parameter: unknown): parameter is InputParameter {
  return hasRole(parameter, 'input') && 'types' in parameter
}

function hasRole(parameter: unknown, role: string): parameter is object {
  return typeof parameter === 'object' && parameter !== null && Reflect.get(parameter, 'role') === role
}

function isStandardSchema(schema: unknown): boolean {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return false
  const standard: unknown = Reflect.get(schema, '~standard')
  if (typeof standard !== 'object' || standard === null) return false
  return Reflect.get(standard, 'version') === 1 && typeof Reflect.get(standard, 'validate') === 'function'
}
