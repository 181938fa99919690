/** What a page shows before its browser has loaded any script; `explorer/pages/previews/first_paint.py` writes it. */

/** Let it go once the page is there; a page that could not be built shows why, and not this. */
export const leave = () => {
  const early = document.getElementById('early')
  const look = () => {
    const failed = document.getElementById('loader')?.classList.contains('error')
    if (failed || window.Bokeh?.index?.roots?.[0]?.is_idle) early?.remove()
    else requestAnimationFrame(look)
  }
  look()
}
