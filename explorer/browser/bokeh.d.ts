/** What our modules use of the models and views of Bokeh, Panel and our own: a small part of each. */

/** A column of numbers, be it an array or a typed one. */
export interface Numbers {
  [index: number]: number
  readonly length: number
  slice(start?: number, end?: number): Numbers
  map(change: (value: number, index: number) => number): Numbers
  [Symbol.iterator](): IterableIterator<number>
}

/** A raster, as Bokeh's images take it. */
export type Raster = Float32Array & {dimension: number; shape: number[]}

export interface Signal {
  connect(slot: () => void): void
  emit(): void
}

export interface Model {
  id: string
  type: string
  tags: unknown[]
  attributes: object
  change: Signal
  document: Document | null
  setv(values: object, options?: {sync?: boolean; silent?: boolean}): void
}

export interface Source extends Model {
  data: Record<string, Numbers>
}

/** A part whose state lives in one of its own, as all parts of the material widget set have it. */
export interface Part<State> extends Model {
  data: State
}

/** A slider over stops. */
export type Slider = Part<{value: number; options: unknown[]}> & {styles: object}

/** A pane of HTML; its text is HTML escaped once more. */
export interface Pane extends Model {
  text: string
}

export interface Scale {
  compute(value: number): number
  invert(pixel: number): number
}

export interface Range extends Model {
  start: number
  end: number
}

export interface Box {
  left: number
  right: number
  bottom: number
  width: number
  height: number
  top: number
  contains(x: number, y: number): boolean
}

export interface Frame {
  x_scale: Scale
  y_scale: Scale
  bbox: Box
}

export interface Title extends Model {
  text: string
  text_alpha: unknown
  visible: boolean
}

export interface Figure extends Model {
  x_range: Range
  y_range: Range
  inner_width: number
  properties?: {inner_width: {is_unset: boolean}}
  inner_height: number
  title: Title | null
  border_fill_color: string | null
  border_fill_alpha: number
}

export interface View {
  el: HTMLElement
  children_views?(): View[]
  model: Model & {css_classes?: string[]}
}

/** A layer on which pictures are drawn, be it of pixels or of SVG. */
export interface Layer {
  backend: string
  bbox: Box
  canvas: HTMLCanvasElement
  ctx: CanvasRenderingContext2D
  pixel_ratio: number
  constructor: unknown
  resize(width: number, height: number): void
  to_blob(): Promise<Blob>
}

export interface FigureView extends View {
  model: Figure
  bbox: Box
  frame: Frame
  canvas_view: {events_el: HTMLElement}
  views: {find_one(model: Model): {layout?: {bbox: Box}} | null}
  export(kind: string): Layer
}

/** What a CustomJS finds views by. */
export interface Context {
  index: {find_one(model: Model): FigureView | null}
}

export interface Patch {
  [key: string]: unknown
}

export interface Change {
  kind: string
  sync?: boolean
  attr: string
  model: {properties: Record<string, {syncable: boolean}>}
  events?: Change[]
}

export interface Document {
  constructor: unknown
  all_models: Iterable<Model>
  config: unknown
  _notified_idle: boolean
  _new_models: {add(model: Model): unknown}
  roots(): Model[]
  add_root(model: Model, options?: {sync?: boolean}): void
  clear(options?: {sync?: boolean}): void
  get_model_by_id(id: string): Model | null
  on_change(hear: (event: Change) => void): void
  create_json_patch(events: Change[]): Patch
  apply_json_patch(patch: Patch, buffers: Map<string, unknown>): void
}

/** The class of documents. */
export interface Documents {
  from_json(json: unknown, events?: unknown[], buffers?: unknown): Document
}

interface Library {
  version: string
  documents: Document[]
  Panel?: unknown
  index: {query(wanted: (view: View) => boolean): Iterable<View>; roots?: {is_idle: boolean}[]}
  loader: {
    '@bokehjs/document/document': {Document: Documents}
    '@bokehjs/core/visuals/visual': {VisualProperties: {prototype: {_get_css_value(name: string): string}}}
  }
  embed: {
    add_document_standalone(document: Document, element: HTMLElement): Promise<unknown>
    embed_items(documents: object, items: object[]): unknown
  }
}

declare global {
  var Bokeh: Library
}
