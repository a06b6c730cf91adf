// Compiles only: a schema as another library would declare it.

/** What a schema of the standard is made of. */
export interface Schema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: T }
    readonly types?: { readonly input: unknown; readonly output: T }
  }
}

/** What the schema gives. */
export interface AddToCart {
  readonly quantity: number
}

/** The schema. */
export declare const addToCart: Schema<AddToCart>

/** A schema of something else. */
export declare const otherSchema: Schema<{ readonly amount: string }>
