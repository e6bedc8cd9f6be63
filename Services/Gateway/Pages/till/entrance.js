// Log in, register, forgotten: with what a merchant's account has besides.
import { accountViews } from "../shared/account.js";
import { newID } from "../shared/api.js";
import { categoryBoxes } from "../shared/categories.js";
import { refusalOf } from "../shared/explain.js";
import { forTab } from "../shared/keep.js";
import { fenceMetres, pointPicker } from "../shared/position.js";
import { given } from "../shared/read.js";
import { api } from "../shared/session.js";
import { t } from "../shared/text.js";

/** Fields of a merchant's account, for the registration and for the settings. */
export const accountFields = (now = {}) => [
  { name: "businessName", label: t("business"), autocomplete: "organization", maxlength: "100", required: true, value: now.businessName ?? "" },
  { name: "address", label: t("address"), autocomplete: "street-address", maxlength: "250", required: true, value: now.address ?? "" },
  { name: "email", label: t("email"), type: "email", autocomplete: "email", required: true, value: now.email ?? "" },
  { name: "firstName", label: t("first-name"), maxlength: "100", autocomplete: "given-name", value: now.firstName ?? "" },
  { name: "lastName", label: t("last-name"), maxlength: "100", autocomplete: "family-name", value: now.lastName ?? "" },
];

/** The key of the first place: a repeat adds no second one. */
function placeKey() {
  const kept = forTab.get("billfold.till.place") ?? newID();
  forTab.set("billfold.till.place", kept);
  return kept;
}

function registration() {
  const categories = categoryBoxes();
  const place = pointPicker({ label: t("place.first"), around: () => fenceMetres });
  const point = () => {
    const chosen = place.value();
    if (!chosen) throw refusalOf("till.place_missing");
    return chosen;
  };
  return {
    path: "/v1/merchants", fields: accountFields(), extra: [categories.element, place.element],
    body: (values) => {
      if (!categories.values().length) throw refusalOf("till.categories_missing");
      return { ...given(values), productTypes: categories.values(), ...point() };
    },
    done: async ({ businessName }, { placed }) => {
      if (placed) return;
      await api.insist("POST", "/v1/places", { name: businessName, ...point() }, { key: placeKey() });
      forTab.set("billfold.till.place", null);
    },
  };
}

export const entrance = accountViews({ role: "merchant", registration });
