/** First paint: what a page shows before any script has loaded; `pages/previews/first_paint.py` writes it. */

/** Remove it once the page is drawn. A page that could not be built shows the reason instead. */
export const leave = () => {
  const early = document.getElementById('early')
  const look = () => {
    const failed = document.getElementById('loader')?.classList.contains('error')
    if (failed || window.Bokeh?.index?.roots?.[0]?.is_idle) early?.remove()
    else requestAnimationFrame(look)
  }
  look()
}
