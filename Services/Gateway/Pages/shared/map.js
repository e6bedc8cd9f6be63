// <place-map>: places as vectors, with the reader's position; on plain paper, or on the tiles of a server that the
// operator has named.
import { el } from "./dom.js";
import { t } from "./text.js";

const degrees = (millionths) => millionths / 1e6;
let library;

/** Leaflet and its style, or null. Where the server has them and they were lost on the way, the next map asks again. */
function leaflet() {
  library ??= Promise.all([import("../leaflet/leaflet.js"), style("/pages/leaflet/leaflet.css")])
    .then(([module]) => module.default ?? module)
    .catch(async () => {
      const answer = await fetch("/pages/leaflet/leaflet.js").catch(() => null);
      if (answer?.status !== 404) library = undefined;
      return null;
    });
  return library;
}

/** How long a map waits for the name of the tile server. */
const tilesMilliseconds = 3000;
let server;

/** The tiles' `address` and `credit`; neither where there are none. */
function tiles() {
  server ??= fetch("/pages/leaflet/tiles.json", { signal: AbortSignal.timeout(tilesMilliseconds) })
    .then((answer) => answer.json())
    .catch(() => {
      server = undefined;
      return {};
    });
  return server;
}

/** A text as Leaflet takes it: it would read a string as HTML. */
const words = (text) => el("span", {}, text);

/** Before the map measures anything. */
function style(href) {
  return new Promise((load, error) => {
    document.head.append(el("link", { rel: "stylesheet", href, load, error }));
  });
}

class PlaceMap extends HTMLElement {
  #map;
  #layer;
  #wanted = null;
  /** The largest radius when the map was fitted last; undefined before. */
  #reach;

  /**
   * Shows `places`, each `{latitude, longitude, name, detail, press, marked, around}` in millionths of a degree, and
   * `me`, `{latitude, longitude, around}`; `around` is the radius of a circle in metres. A press on the paper calls
   * `picked({latitude, longitude})`.
   */
  show(wanted) {
    this.#wanted = wanted;
    if (this.isConnected) this.#draw();
  }

  /** The map measures itself, so it is drawn once it is in the page. */
  connectedCallback() {
    if (this.#wanted) this.#draw();
  }

  async #draw() {
    const [L, under] = await Promise.all([leaflet(), tiles()]);
    if (!this.isConnected) return;
    if (!L) return this.replaceChildren(el("p", { class: "empty" }, t(library ? "map.missing" : "map.lost")));
    if (!this.#map) this.#open(L, under);
    const { places, me, picked } = this.#wanted;
    this.#layer.clearLayers();
    const colour = (name) => getComputedStyle(this).getPropertyValue(name).trim();
    const at = ({ latitude, longitude }) => [degrees(latitude), degrees(longitude)];
    const shown = me ? [...places, me] : places;
    for (const one of shown.filter(({ around }) => around)) {
      L.circle(at(one), { radius: one.around, interactive: false, weight: 2, color: colour("--accent"), fillOpacity: 0.06 })
        .addTo(this.#layer);
    }
    for (const place of places) {
      const pin = L.circleMarker(at(place), {
        radius: 11, weight: place.marked ? 5 : 2, color: colour("--accent"), fillColor: colour("--surface"), fillOpacity: 1,
      });
      const about = el("div", {}, el("strong", {}, place.name), el("br"), place.detail ?? "",
        place.press && el("p", {}, el("button", { type: "button", click: place.press }, t("map.open"))));
      pin.bindPopup(about).bindTooltip(words(place.name), { permanent: places.length <= 12, direction: "top", offset: [0, -8] });
      pin.addTo(this.#layer);
      this.#byKeyboard(pin, place.name);
    }
    if (me) {
      // A tap on who stands at a place is one on the place.
      L.circleMarker(at(me), {
        interactive: false, radius: 8, weight: 3, color: colour("--surface"), fillColor: colour("--amber"), fillOpacity: 1,
      }).bindTooltip(words(t("map.me")), { permanent: true, direction: "bottom" }).addTo(this.#layer);
    }
    const reach = Math.max(0, ...shown.map(({ around = 0 }) => around));
    if (reach !== this.#reach && shown.length) {
      const bounds = shown.map((one) => L.latLng(at(one)).toBounds(2 * (one.around ?? 0)));
      this.#map.fitBounds(bounds.reduce((all, one) => all.extend(one)), { padding: [64, 48], maxZoom: 17, animate: false });
      this.#reach = reach;
    }
    this.#map.off("click");
    if (picked) {
      this.#map.on("click", ({ latlng }) => picked({
        latitude: Math.round(latlng.lat * 1e6), longitude: Math.round(latlng.wrap().lng * 1e6),
      }));
    }
  }

  /** The middle of what is shown, in millionths: where a place is set by keyboard. Null where there is no map. */
  get middle() {
    if (!this.#map) return null;
    const { lat, lng } = this.#map.getCenter();
    return { latitude: Math.round(lat * 1e6), longitude: Math.round(lng * 1e6) };
  }

  #open(L, { address, credit }) {
    const box = el("div", { class: "paper" });
    this.replaceChildren(box, ...(credit ? [el("p", { class: "detail" }, credit)] : []));
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#map = L.map(box, {
      attributionControl: false, zoomControl: false, zoomAnimation: !isStill, fadeAnimation: !isStill,
      minZoom: 2, maxZoom: 19,
    }).setView([35.198284, -111.651302], 15);
    L.control.zoom({ zoomInTitle: t("map.in"), zoomOutTitle: t("map.out") }).addTo(this.#map);
    L.control.scale({ imperial: false }).addTo(this.#map);
    if (address) {
      this.dataset.tiles = "";
      L.tileLayer(address, { maxZoom: 19 }).addTo(this.#map);
    }
    this.#layer = L.layerGroup().addTo(this.#map);
    box.setAttribute("role", "application");
    box.setAttribute("aria-label", t("map.label"));
  }

  /** Leaflet's vectors take no focus by themselves. */
  #byKeyboard(pin, name) {
    const path = pin.getElement();
    if (!path) return;
    path.setAttribute("tabindex", "0");
    path.setAttribute("role", "button");
    path.setAttribute("aria-label", name);
    path.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") pin.openPopup();
    });
  }

  disconnectedCallback() {
    this.#map?.remove();
    this.#map = undefined;
    this.#reach = undefined;
  }
}

customElements.define("place-map", PlaceMap);
